// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/model_address.h"

#include "core/base/command_line.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

ModelAddress::ModelAddress(QWidget* parent)
    : QWidget(parent)
    , m_line(named(new QLineEdit, "modelAddress", tr("Base URL")))
    , m_browse(named(new QPushButton(tr("&Browse...")), "modelBrowse", tr("Choose the folder")))
    , m_state(new MessageLabel)
    , m_chooseFolder([](QWidget* above, const QString& now) {
        return QFileDialog::getExistingDirectory(above, tr("Choose the folder"), now);
    }) {
    m_state->setObjectName(QStringLiteral("modelAddressState"));
    m_state->setProperty("quiet", true);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing2);
    row->addWidget(m_line, 1);
    row->addWidget(m_browse);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(spacing1);
    all->addLayout(row);
    all->addWidget(m_state);
    connect(m_line, &QLineEdit::textChanged, this, &ModelAddress::showState);
    connect(m_browse, &QPushButton::clicked, this, &ModelAddress::browse);
    showKind();
}

QString ModelAddress::label() const {
    switch (m_kind) {
    case ProviderKind::command:
        return tr("Comm&and");
    case ProviderKind::folder:
        return tr("&Folder");
    default:
        return tr("Base &URL");
    }
}

void ModelAddress::fill(ProviderKind kind, const QString& address) {
    m_left.clear();
    m_kind = kind;
    m_line->setText(address);
    showKind();
}

void ModelAddress::change(ProviderKind kind, const QString& usual, bool isUsual) {
    const bool other = kind != m_kind;
    if (other) {
        m_left[m_kind] = m_line->text();
        m_kind = kind;
    }
    const auto left = m_left.find(kind);
    if (other && left != m_left.end()) {
        m_line->setText(left->second);
    } else if (other || isUsual) {
        m_line->setText(usual);
    }
    showKind();
}

void ModelAddress::showKind() {
    QString accessible = tr("Base URL");
    QString placeholder = tr("https://...");
    QString tip;
    if (m_kind == ProviderKind::command) {
        accessible = tr("Command that answers");
        placeholder = QStringLiteral("claude -p");
        tip =
            tr("Gets the prompt on standard input and prints the reply. Runs with your rights, without a shell, in an "
               "empty folder.");
    } else if (m_kind == ProviderKind::folder) {
        accessible = tr("Folder for requests and replies");
        placeholder = tr("full path of a folder");
        tip = tr("Each prompt is written as 0001.request.md. Put the reply beside it as 0001.reply.md.");
    } else if (m_kind == ProviderKind::recording) {
        placeholder = tr("file of the recording");
    }
    m_line->setAccessibleName(accessible);
    m_line->setPlaceholderText(placeholder);
    m_line->setToolTip(tip);
    m_line->setEnabled(m_kind != ProviderKind::person);
    m_browse->setVisible(m_kind == ProviderKind::folder);
    showState();
}

void ModelAddress::showState() {
    const QString address = m_line->text().trimmed();
    QString state;
    if (m_kind == ProviderKind::command && !address.isEmpty()) {
        const auto program = commandWords(address.toStdString()).and_then([](const std::vector<std::string>& words) {
            return commandProgram(words);
        });
        state = program ? tr("\u2713 runs %1").arg(toText(program->string()))
                        : tr("\u2717 %1").arg(toText(program.error().what));
    } else if (m_kind == ProviderKind::folder && !address.isEmpty()) {
        state = QFileInfo(address).isDir() ? tr("\u2713 found") : tr("\u2717 folder not found");
    }
    m_state->setText(state);
    m_state->setVisible(!state.isEmpty());
}

void ModelAddress::browse() {
    if (const QString folder = m_chooseFolder(this, m_line->text()); !folder.isEmpty()) {
        m_line->setText(folder);
    }
}

} // namespace gks
