// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/knowledge/knowledge_panel.h"

#include "core/campaign/limits.h"
#include "core/scientist/digest.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/knowledge/document_page.h"
#include "widgets/knowledge/knowledge_list.h"
#include "widgets/knowledge/knowledge_text.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

constexpr int typingPauseMs = 250;
constexpr int foundLimit = 50;
enum Page { emptyPage, textPage, documentPage };

QStringList askForFiles(QWidget* parent) {
    return QFileDialog::getOpenFileNames(
        parent, QObject::tr("Add documents"), {},
        QObject::tr("Documents (*.txt *.md *.markdown *.html *.htm *.pdf);;All files (*)"));
}

} // namespace

KnowledgePanel::KnowledgePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_askFiles(askForFiles)
    , m_words(named(new QLineEdit(this), "knowledgeSearch", tr("Search documents")))
    , m_budget(named(new QSpinBox(this), "knowledgeBudget", tr("Knowledge per prompt, in tokens")))
    , m_total(new MessageLabel(this))
    , m_notice(new MessageLabel(this))
    , m_list(named(new KnowledgeList(this), "knowledgeList", tr("Sections and documents")))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_text(named(new RichTextView(this), "knowledgeText", tr("Section or passages")))
    , m_document(new DocumentPage(this))
    , m_unsaved(createUnsaved())
    , m_about(new MessageLabel(this)) {
    setObjectName(QStringLiteral("knowledgePanel"));
    setAcceptDrops(true);
    addActions();
    m_empty->setText(tr("No section selected"),
                     tr("Select a section on the left, or add manuals, papers and notes (text, Markdown, HTML, PDF). "
                        "Relevant passages go into the prompts."));
    m_empty->setButton(tr("Add documents"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_text);
    m_pages->addWidget(m_document);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("knowledgeParts"));
    parts->addWidget(buildList());
    parts->addWidget(m_pages);
    parts->setSizes({300, 500});
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTools());
    column->addWidget(m_about);
    column->addWidget(m_notice);
    column->addWidget(m_unsaved->notice());
    column->addWidget(parts, 1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(typingPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &KnowledgePanel::search);
    connect(m_words, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_empty, &EmptyState::buttonClicked, this, [this] { addFiles(m_askFiles(this)); });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
        const QSignalBlocker quiet(m_words);
        m_words->clear();
        showCurrent();
    });
    connect(m_budget, &QSpinBox::editingFinished, this, &KnowledgePanel::sendBudget);
    connect(m_text, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { m_list->chooseDocument(link.path().toLongLong()); });
    connect(m_document, &DocumentPage::typed, m_unsaved, &UnsavedText::touch);
    connect(m_document, &DocumentPage::edited, this,
            [this](const command::EditDocument& edit) { bridge().send(edit); });
    connect(m_document, &DocumentPage::digestWanted, this, &KnowledgePanel::makeDigest);
    connect(m_document, &DocumentPage::digestUnwanted, this, [this] {
        m_digest.cancel();
        m_document->setDigesting(false);
        tell({}, false);
    });
    connect(m_document, &DocumentPage::removed, this, [this](std::int64_t document) {
        m_pages->setCurrentIndex(emptyPage);
        bridge().send(command::RemoveDocument{document});
    });
}

UnsavedText* KnowledgePanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] { return m_document->unsent(); };
    form.content = [this] { return m_document->unsentFields(); };
    form.restore = [this](const QJsonObject& fields) { return m_document->restore(fields); };
    form.discard = [this] { m_document->drop(); };
    form.leave = [this] { m_document->commit(); };
    return new UnsavedText(QStringLiteral("document"), std::move(form), this);
}

QWidget* KnowledgePanel::buildTools() {
    m_budget->setRange(0, limits::knowledgeTokens);
    m_budget->setSingleStep(1000);
    m_budget->setSuffix(tr(" tokens"));
    m_budget->setGroupSeparatorShown(true);
    m_budget->setKeyboardTracking(false);
    m_budget->setToolTip(tr("Token limit for sections, digests and passages in one prompt"));
    m_total->setObjectName(QStringLiteral("knowledgeTotal"));
    m_total->setProperty("quiet", true);
    m_notice->setObjectName(QStringLiteral("knowledgeNotice"));
    m_notice->setContentsMargins(spacing3, 0, spacing3, spacing2);
    m_notice->hide();
    m_about->setObjectName(QStringLiteral("knowledgeMachine"));
    m_about->setProperty("quiet", true);
    m_about->setContentsMargins(spacing3, 0, spacing3, spacing2);
    auto* label = new QLabel(tr("&Tokens per prompt"), this);
    label->setBuddy(m_budget);
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    row->setSpacing(spacing2);
    row->addWidget(label);
    row->addWidget(m_budget);
    row->addWidget(m_total, 1);
    row->addWidget(toolButton(actions().action("knowledge.add"), tr("Add"), "knowledgeAdd"));
    return bar;
}

QWidget* KnowledgePanel::buildList() {
    m_words->setPlaceholderText(tr("Search documents"));
    m_words->setClearButtonEnabled(true);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(spacing3, 0, 0, 0);
    column->setSpacing(spacing2);
    column->addWidget(m_words);
    column->addWidget(m_list, 1);
    return box;
}

void KnowledgePanel::addActions() {
    actions().add(this, {"knowledge.add", tr("Add d&ocuments..."), tr("&Experiment"), {}, Icon::plus}, [this] {
        selection().requestPage(QStringLiteral("knowledge"));
        addFiles(m_askFiles(this));
    });
    actions().add(
        this, {"knowledge.find", tr("Search documents"), tr("&View"), QKeySequence::Find},
        [this] {
            m_words->setFocus(Qt::ShortcutFocusReason);
            m_words->selectAll();
        },
        true);
}

// Beside the window: a vendor's library may take a second to name its devices.
void KnowledgePanel::findMachine() {
    const Population& population = *bridge().population();
    const auto judged = std::any_of(population.kernels.begin(), population.kernels.end(),
                                    [](const Kernel& kernel) { return kernel.verdict.has_value(); });
    const QString now = QStringLiteral("%1 %2 %3")
                            .arg(static_cast<int>(population.settings.target))
                            .arg(population.settings.device)
                            .arg(judged);
    if (now == m_sectionsOf) {
        return;
    }
    m_sectionsOf = now;
    const auto find = deviceFinder(bridge().population(), [queries = bridge().queries()](KernelId kernel) {
        return newestVerdict(queries.get(), kernel);
    });
    m_machine.start(
        [target = population.settings.target, find](const std::stop_token&) {
            KnownMachine known{machineOf(target, find()), {}};
            for (const std::string& file : known.machine.knowledge) {
                auto sections = knowledgeSections(file).value_or(std::vector<KnowledgeSection>{});
                std::move(sections.begin(), sections.end(), std::back_inserter(known.sections));
            }
            return known;
        },
        [this](const KnownMachine& known) {
            m_sections = known.sections;
            m_about->setText(toText(machineText(known.machine) +
                                    (known.machine.note.empty() ? std::string() : " " + known.machine.note)));
            showMachine();
            Q_EMIT settled();
        });
}

void KnowledgePanel::showMachine() {
    if (m_sections.empty() && m_machine.isBusy()) { // the first row is to be a section, not a document
        return;
    }
    m_list->showAll(m_sections, bridge().population()->documents);
    showTotal();
    if (m_words->text().trimmed().isEmpty()) { // the results of a search stay until something else is chosen
        showCurrent();
    }
}

void KnowledgePanel::refresh() {
    const Population& population = *bridge().population();
    const bool writable = !bridge().readOnly();
    actions().action("knowledge.add")->setEnabled(writable);
    findMachine();
    m_budget->setEnabled(writable);
    if (!m_budget->hasFocus()) {
        const QSignalBlocker quiet(m_budget);
        m_budget->setValue(population.settings.policies.knowledgeTokens);
    }
    showMachine();
}

void KnowledgePanel::showTotal() {
    std::int64_t machine = 0;
    std::int64_t documents = 0;
    for (const KnowledgeSection& section : m_sections) {
        machine += estimatedTokens(section.text);
    }
    for (const Document& document : bridge().population()->documents) {
        documents += document.enabled ? tokensOf(document) : 0;
    }
    m_total->setText(
        tr("Available: machine notes %1 tokens, documents %2 tokens").arg(tokensText(machine), tokensText(documents)));
}

void KnowledgePanel::showCurrent() {
    const auto& documents = bridge().population()->documents;
    const std::int64_t id = m_list->document();
    const auto document =
        std::find_if(documents.begin(), documents.end(), [id](const Document& one) { return one.id == id; });
    if (document != documents.end()) {
        m_document->showDocument(*document, !bridge().readOnly());
        m_unsaved->retry();
        m_pages->setCurrentIndex(documentPage);
        if (m_shownDocument != id) {
            m_shownDocument = id;
            ++m_awaited;
            bridge().askPassages(this, id, [this](const Result<std::vector<Passage>>& answer) {
                m_awaited = 0;
                m_document->showPassages(answer.value_or(std::vector<Passage>{}));
                Q_EMIT settled();
            });
        }
        return;
    }
    m_shownDocument = 0;
    if (const int section = m_list->section(); section >= 0) {
        writeSection(*m_text, m_sections[static_cast<std::size_t>(section)]);
        m_pages->setCurrentIndex(textPage);
    } else {
        m_pages->setCurrentIndex(emptyPage);
    }
}

void KnowledgePanel::search() {
    const QString words = m_words->text().trimmed();
    if (words.isEmpty()) {
        showCurrent();
        return;
    }
    ++m_awaited;
    bridge().askPassageSearch(this, words, foundLimit, [this](const Result<std::vector<Passage>>& answer) {
        m_awaited = 0;
        if (!m_words->text().trimmed().isEmpty()) {
            m_shownDocument = 0;
            writeFound(*m_text, answer.value_or(std::vector<Passage>{}), bridge().population()->documents,
                       m_words->text());
            m_pages->setCurrentIndex(textPage);
        }
        Q_EMIT settled();
    });
}

void KnowledgePanel::addFiles(const QStringList& files) {
    if (bridge().readOnly() || files.isEmpty()) {
        return;
    }
    m_toImport += files;
    if (!m_import.isBusy()) {
        m_failures.clear();
        importNext();
    }
}

void KnowledgePanel::importNext() {
    if (m_toImport.isEmpty()) {
        tell(m_failures.join(QLatin1Char('\n')), true);
        Q_EMIT settled();
        return;
    }
    const QString file = m_toImport.takeFirst();
    tell(tr("Reading %1...").arg(QFileInfo(file).fileName()), false);
    m_import.start([path = file.toStdString()](const std::stop_token& stop) { return importDocument(path, stop); },
                   [this](const Result<ImportedDocument>& imported) {
                       if (imported) {
                           bridge().send(command::AddDocument{imported->document, imported->passages});
                       } else {
                           m_failures.append(toText(imported.error().message()));
                       }
                       importNext();
                   });
}

void KnowledgePanel::tell(const QString& text, bool isError) {
    const Palette& palette = Theme::instance().palette();
    setTextColor(m_notice, isError ? palette.wrong : palette.quietText);
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
}

void KnowledgePanel::makeDigest(const Document& document) {
    m_document->setDigesting(true);
    tell(tr("Creating digest of %1...").arg(toText(document.title)), false);
    m_digest.start(
        [settings = bridge().population()->settings, sinks = bridge().sinks(), problem = bridge().problem(), document,
         queries = bridge().queries()](const std::stop_token& stop) -> Result<std::string> {
            if (!queries) {
                return usageError(tr("no campaign file to read the document from").toStdString());
            }
            GKS_TRY_ASSIGN(const auto passages, queries->passages(document.id));
            return digestDocument(settings, sinks, problem.get(), document, passages, stop);
        },
        [this, document](const Result<std::string>& digest) {
            m_document->setDigesting(false);
            tell(digest ? QString() : toText(digest.error().message()), true);
            if (digest && m_document->document() == document.id) {
                m_document->takeDigest(toText(*digest));
            } else if (digest) { // the person looks at another one meanwhile
                bridge().send(command::EditDocument{.document = document.id, .digest = *digest});
            }
        });
}

void KnowledgePanel::sendBudget() {
    Policies policies = bridge().population()->settings.policies;
    // The field is filled with the first look at the page, and may lose the focus before.
    if (!bridge().readOnly() && policies.knowledgeTokens != m_budget->value()) {
        policies.knowledgeTokens = m_budget->value();
        bridge().send(command::SetPolicies{policies});
    }
}

void KnowledgePanel::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && !bridge().readOnly()) {
        event->acceptProposedAction();
    }
}

void KnowledgePanel::dropEvent(QDropEvent* event) {
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            files.append(url.toLocalFile());
        }
    }
    addFiles(files);
    event->acceptProposedAction();
}

} // namespace gks
