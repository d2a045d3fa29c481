// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_dialog.h"

#include "core/base/quantity.h"
#include "core/export/export_check.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

namespace {

constexpr int dialogWidth = 620;
constexpr int shownFiles = 6; // rows of the list
constexpr int outcomeLines = 14;

QString formText(ExportForm form) {
    switch (form) {
    case ExportForm::header:
        return ExportDialog::tr("C header and source");
    case ExportForm::library:
        return ExportDialog::tr("Shared library with its test");
    case ExportForm::torch:
        return ExportDialog::tr("PyTorch extension");
    case ExportForm::hfKernel:
        return ExportDialog::tr("Project for Hugging Face's kernel-builder");
    case ExportForm::flashinfer:
        return ExportDialog::tr("Solution for FlashInfer-Bench");
    case ExportForm::patch:
        return ExportDialog::tr("Git patch");
    }
    return {};
}

// A connection of its own; the engine may go on writing beside it.
Result<std::shared_ptr<const ExportedKernel>> readKernel(const QString& campaign, KernelId id) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(campaign.toStdString(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(ExportedKernel kernel, readExportedKernel(*store, id));
    return std::make_shared<const ExportedKernel>(std::move(kernel));
}

} // namespace

ExportDialog::ExportDialog(const QString& campaign, KernelId kernel, QWidget* parent)
    : QDialog(parent)
    , m_campaign(campaign)
    , m_id(kernel)
    , m_fields(new QWidget)
    , m_form(named(new QComboBox, "exportForm", tr("Form")))
    , m_folder(named(new QLineEdit, "exportFolder", tr("Folder")))
    , m_tree(named(new QLineEdit, "exportTree", tr("Git tree that the patch is for")))
    , m_path(named(new QLineEdit, "exportPath", tr("Folder in the tree")))
    , m_definition(named(new QLineEdit, "exportDefinition", tr("Definition that the problem is")))
    , m_hardware(named(new QLineEdit, "exportHardware", tr("Card that the Solution is for")))
    , m_between(named(new QCheckBox(tr("&Shapes between measured ones go to the kernel too; no claim covers them")),
                      "exportBetween", tr("Shapes between measured ones")))
    , m_check(named(new QCheckBox(tr("Com&pile it and run its test, in the sandbox")), "exportCheck",
                    tr("Compile and test")))
    , m_claim(named(new MessageLabel(tr("Reading the kernel and its evidence...")), "exportClaim", tr("Claim")))
    , m_files(named(new QListWidget, "exportFiles", tr("Files")))
    , m_open(named(new MessageLabel, "exportOpen", tr("What nobody has tried")))
    , m_outcome(named(new MessageLabel, "exportOutcome", tr("Outcome")))
    , m_error(named(new MessageLabel, "exportError", tr("What is wrong"))) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export kernel %1").arg(idText(kernel)));
    setAccessibleName(windowTitle());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    m_rows = new QFormLayout(m_fields);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(spacing2);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addForm(m_rows);
    all->addWidget(m_fields);
    m_files->setSelectionMode(QAbstractItemView::NoSelection);
    m_files->setFixedHeight(m_files->fontMetrics().lineSpacing() * shownFiles + 2 * spacing2);
    all->addWidget(m_files);
    all->addWidget(m_claim);
    all->addWidget(m_open);
    m_error->setProperty("error", true);
    for (MessageLabel* label : {m_outcome, m_error}) {
        label->setLineLimit(outcomeLines);
        label->hide();
        all->addWidget(label);
    }
    all->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_export = named(buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole), "exportAccept", tr("Export"));
    m_export->setDefault(true);
    named(buttons->button(QDialogButtonBox::Close), "exportClose", tr("Close"));
    all->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(dialogWidth);
    showRows();
    read();
}

bool ExportDialog::isBusy() const {
    return m_reading.isBusy() || m_previewing.isBusy() || m_writing.isBusy();
}

void ExportDialog::addForm(QFormLayout* form) {
    for (const ExportForm one : exportForms) {
        m_form->addItem(formText(one), static_cast<int>(one));
    }
    addField(form, tr("&Form"), m_form, m_form);
    addField(form, tr("F&older"), m_folder,
             pathRow(m_folder, "exportBrowseFolder", tr("Export to a new folder"), false));
    m_treeRow = pathRow(m_tree, "exportBrowseTree", tr("Git tree that the patch is for"), false);
    addField(form, tr("Git &tree"), m_tree, m_treeRow);
    m_path->setPlaceholderText(QStringLiteral("src/kernels"));
    addField(form, tr("Folder in &it"), m_path, m_path);
    m_definition->setPlaceholderText(tr("the one that the problem was made from"));
    m_definitionRow = pathRow(m_definition, "exportBrowseDefinition", tr("Definition of FlashInfer-Bench"), true);
    addField(form, tr("&Definition"), m_definition, m_definitionRow);
    m_hardware->setPlaceholderText(tr("the one that measured the kernel; such as NVIDIA_H100"));
    addField(form, tr("C&ard"), m_hardware, m_hardware);
    form->addRow(m_between);
    form->addRow(m_check);
    connect(m_form, &QComboBox::currentIndexChanged, this, [this] {
        showRows();
        suggestFolder();
        preview();
    });
    connect(m_between, &QCheckBox::toggled, this, &ExportDialog::preview);
    for (const QLineEdit* field : {m_tree, m_path, m_definition, m_hardware}) {
        connect(field, &QLineEdit::textChanged, this, &ExportDialog::preview);
    }
    connect(m_folder, &QLineEdit::textEdited, this, [this] { m_isOwnFolder = true; });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::preview);
}

QWidget* ExportDialog::pathRow(QLineEdit* field, const char* button, const QString& title, bool isFile) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(spacing2);
    line->addWidget(field, 1);
    auto* browse = named(new QPushButton(tr("Browse...")), button, title);
    browse->setAutoDefault(false);
    line->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [this, field, title, isFile] {
        const QString chosen =
            isFile              ? QFileDialog::getOpenFileName(this, title, field->text(), tr("Definitions (*.json)"))
            : field == m_folder ? QFileDialog::getSaveFileName(this, title, field->text())
                                : QFileDialog::getExistingDirectory(this, title, field->text());
        if (!chosen.isEmpty()) {
            m_isOwnFolder = m_isOwnFolder || field == m_folder;
            field->setText(chosen);
        }
    });
    return row;
}

void ExportDialog::showRows() {
    const auto form = static_cast<ExportForm>(m_form->currentData().toInt());
    m_rows->setRowVisible(m_treeRow, form == ExportForm::patch);
    m_rows->setRowVisible(m_path, form == ExportForm::patch);
    m_rows->setRowVisible(m_definitionRow, form == ExportForm::flashinfer);
    m_rows->setRowVisible(m_hardware, form == ExportForm::flashinfer);
    m_rows->setRowVisible(m_check, m_kernel == nullptr || !m_kernel->pack.harness);
    grow();
}

void ExportDialog::read() {
    m_export->setEnabled(false);
    m_reading.start([campaign = m_campaign, id = m_id](const std::stop_token&) { return readKernel(campaign, id); },
                    [this](const Result<KernelPtr>& kernel) {
                        if (!kernel) {
                            m_claim->setText(tr("This kernel cannot be exported."));
                            showOutcome(toText(kernel.error().message()), false);
                            return;
                        }
                        m_kernel = *kernel;
                        suggestFolder();
                        showClaim();
                        preview();
                    });
}

void ExportDialog::suggestFolder() {
    if (m_kernel != nullptr && !m_isOwnFolder) {
        m_folder->setText(QFileInfo(m_campaign).absolutePath() % QLatin1Char('/') % toText(m_kernel->name) %
                          QLatin1Char('-') % toText(name(options().form)));
    }
}

ExportOptions ExportDialog::options() const {
    ExportOptions options;
    options.form = static_cast<ExportForm>(m_form->currentData().toInt());
    options.between = m_between->isChecked();
    if (options.form == ExportForm::patch) {
        options.into = m_tree->text().trimmed().toStdString();
        options.path = m_path->text().trimmed().toStdString();
    }
    if (options.form == ExportForm::flashinfer) {
        options.definition = m_definition->text().trimmed().toStdString();
        options.hardware = m_hardware->text().trimmed().toStdString();
    }
    return options;
}

QString ExportDialog::missing() const {
    const ExportOptions chosen = options();
    if (chosen.form == ExportForm::patch && (chosen.into.empty() || chosen.path.empty())) {
        return tr("Choose the tree that the patch is for, and the folder in it. The tree is not changed.");
    }
    return m_folder->text().trimmed().isEmpty() ? tr("Choose a new or empty folder.") : QString();
}

void ExportDialog::preview() {
    if (m_kernel == nullptr || m_writing.isBusy()) {
        return;
    }
    m_export->setEnabled(false);
    m_outcome->hide();
    m_error->hide();
    const ExportOptions chosen = options();
    QStringList open;
    for (const std::string& sentence : openOf(*m_kernel, chosen.form)) {
        open.append(toText(sentence));
    }
    m_open->setText(tr("Open: %1").arg(open.join(QLatin1Char(' '))));
    grow();
    if (const QString what = missing(); !what.isEmpty()) {
        m_previewing.cancel();
        m_files->clear();
        showOutcome(what, true);
        return;
    }
    m_previewing.start([kernel = m_kernel, chosen](const std::stop_token&) { return exportFiles(*kernel, chosen); },
                       [this](const Result<BundleFiles>& files) {
                           m_files->clear();
                           if (!files) {
                               showOutcome(toText(files.error().message()), false);
                               return;
                           }
                           for (const auto& [path, content] : *files) {
                               m_files->addItem(toText(path) % QStringLiteral("   ") %
                                                toText(formatBytes(content.size())));
                           }
                           m_export->setEnabled(true);
                       });
}

void ExportDialog::showClaim() {
    if (m_kernel->pack.harness) {
        m_claim->setText(
            tr("Claim: %1\nCommand pack: %2, SHA-256 of its files %3")
                .arg(toText(m_kernel->claim), toText(m_kernel->pack.name), toText(m_kernel->harnessSha256)));
        m_check->setChecked(false); // only its harness knows how it is built
        showRows();
        grow();
        return;
    }
    m_claim->setText(tr("Claim: %1\nGoes to the kernel: %2 of %3 measured shapes; everything else to the baseline %4 "
                        "%5.\nEvidence: %6")
                         .arg(toText(m_kernel->claim), QString::number(m_kernel->wonShapes()),
                              QString::number(m_kernel->shapes.size()), idText(m_kernel->fallback),
                              toText(m_kernel->fallbackTitle), toText(m_kernel->evidenceSha256)));
    grow();
}

ExportDialog::Outcome ExportDialog::carryOut(const ExportedKernel& kernel, const ExportOptions& options,
                                             const std::filesystem::path& folder, bool check,
                                             const std::stop_token& stop) {
    const auto files = exportFiles(kernel, options);
    const Result<void> written = files ? writeExport(*files, folder) : Result<void>(tl::unexpected(files.error()));
    if (!written) {
        return {false, false, toText(written.error().message())};
    }
    const QString where = tr("Written: %1 files in %2").arg(QString::number(files->size()), toText(folder.string()));
    if (!check) {
        return {true, true, where};
    }
    const auto checked = checkExport(kernel, options.form, folder, stop);
    if (!checked) {
        return {true, false, QString(where % QLatin1Char('\n') % toText(checked.error().message()))};
    }
    const QString how = checked->hasRun ? tr("Checked: compiled and run by %1").arg(toText(checked->compiler))
                                        : tr("Checked: compiled by %1, not run").arg(toText(checked->compiler));
    QString text = where % QLatin1Char('\n') % how % QLatin1Char('\n') % toText(checked->output);
    for (const std::string& sentence : checked->open) {
        text += QLatin1Char('\n') % tr("Open: %1").arg(toText(sentence));
    }
    return {true, true, text};
}

void ExportDialog::write() {
    if (!m_export->isEnabled() || m_writing.isBusy()) {
        return;
    }
    const ExportOptions chosen = options();
    const bool check = m_check->isChecked();
    m_export->setEnabled(false);
    m_fields->setEnabled(false);
    showOutcome(check ? tr("Writing, compiling and testing...") : tr("Writing..."), true);
    m_writing.start(
        [kernel = m_kernel, chosen, check, folder = std::filesystem::path(m_folder->text().trimmed().toStdString())](
            const std::stop_token& stop) { return carryOut(*kernel, chosen, folder, check, stop); },
        [this](const Outcome& outcome) {
            m_fields->setEnabled(true);
            m_export->setEnabled(!outcome.isWritten); // the next one needs another folder
            showOutcome(outcome.text, outcome.isGood);
            Q_EMIT exported(outcome.isGood);
        });
}

void ExportDialog::grow() {
    layout()->activate();
    const int needed = layout()->totalHeightForWidth(width());
    if (needed > height()) {
        resize(width(), needed);
    }
}

void ExportDialog::showOutcome(const QString& text, bool good) {
    MessageLabel* const label = good ? m_outcome : m_error;
    label->setText(text);
    label->show();
    (good ? m_error : m_outcome)->hide();
    grow();
}

} // namespace gks
