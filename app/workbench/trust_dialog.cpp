// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/trust_dialog.h"

#include "core/base/command_line.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {
namespace {

QLabel* plain(const QString& text) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

// What a person compares letter by letter and may want to copy.
QLabel* exact(const std::string& value, const char* objectName, const QString& accessible) {
    QLabel* label = named(plain(toText(value)), objectName, accessible);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void addServer(QFormLayout* form, const TrustQuestion& question) {
    form->addRow(plain(TrustDialog::tr("Prompts and the API key go to this server.")));
    form->addRow(TrustDialog::tr("Server"), exact(question.server, "trustServer", TrustDialog::tr("Server")));
    if (!question.variable.empty()) {
        form->addRow(TrustDialog::tr("Variable of the key"),
                     exact(question.variable, "trustVariable", TrustDialog::tr("Variable of the key")));
    }
}

void addCommand(QFormLayout* form, const TrustQuestion& question) {
    form->addRow(plain(TrustDialog::tr("This command is run with your rights, outside the sandbox. It gets the prompts "
                                       "on its standard input.")));
    form->addRow(TrustDialog::tr("Command"), exact(question.command, "trustCommand", TrustDialog::tr("Command")));
    const auto words = commandWords(question.command);
    const auto program = words.and_then([](const auto& found) { return commandProgram(found); });
    form->addRow(TrustDialog::tr("Program"), exact(program ? program->string() : program.error().message(),
                                                   "trustProgram", TrustDialog::tr("Program")));
    if (!question.variable.empty()) {
        form->addRow(TrustDialog::tr("Variable of the key"),
                     exact(question.variable, "trustVariable", TrustDialog::tr("Variable of the key")));
    }
}

void addFolder(QFormLayout* form, const TrustQuestion& question) {
    form->addRow(plain(TrustDialog::tr("Prompts are written into this folder, and replies are read from it.")));
    form->addRow(TrustDialog::tr("Folder"), exact(question.folder, "trustFolder", TrustDialog::tr("Folder")));
}

void addPack(QFormLayout* form, const TrustQuestion& question) {
    const bool ofHarness = !question.command.empty();
    form->addRow(plain(ofHarness
                           ? TrustDialog::tr("The commands of this pack build, verify and measure kernels, in the "
                                             "sandbox. They decide what is right and what is fast.")
                           : TrustDialog::tr("The reference implementation of this problem pack is compiled and "
                                             "run, in the sandbox. It decides what is right.")));
    if (ofHarness) {
        form->addRow(TrustDialog::tr("Commands"),
                     exact(question.command, "trustCommands", TrustDialog::tr("Commands")));
    }
    form->addRow(TrustDialog::tr("Folder"), exact(question.folder, "trustFolder", TrustDialog::tr("Folder")));
    form->addRow(TrustDialog::tr("SHA-256"), exact(question.content, "trustContent", TrustDialog::tr("SHA-256")));
}

void addQuestion(QFormLayout* form, const TrustQuestion& question) {
    switch (question.kind) {
    case TrustKind::server:
        return addServer(form, question);
    case TrustKind::command:
        return addCommand(form, question);
    case TrustKind::folder:
        return addFolder(form, question);
    case TrustKind::pack:
        return addPack(form, question);
    }
}

} // namespace

TrustDialog::TrustDialog(const QString& file, const std::vector<TrustQuestion>& questions, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("trustDialog"));
    setWindowTitle(tr("Trust this campaign?"));
    setAccessibleName(windowTitle());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    all->addWidget(plain(tr("%1 names the following. Nothing is sent or run before you trust it.").arg(file)));
    auto* form = new QFormLayout;
    form->setSpacing(spacing2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const TrustQuestion& question : questions) {
        addQuestion(form, question);
    }
    all->addLayout(form);
    auto* buttons = new QDialogButtonBox;
    QPushButton* trust =
        named(buttons->addButton(tr("&Trust"), QDialogButtonBox::AcceptRole), "trustAccept", tr("Trust"));
    QPushButton* later =
        named(buttons->addButton(tr("&Not now"), QDialogButtonBox::RejectRole), "trustReject", tr("Not now"));
    trust->setAutoDefault(false); // Enter must not be an answer
    later->setDefault(true);
    all->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    later->setFocus();
    setMinimumWidth(520);
}

} // namespace gks
