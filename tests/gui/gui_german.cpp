// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/language.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"
#include "widgets/run/campaign_settings_dialog.h"
#include "widgets/settings/settings_dialog.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolButton>
#include <QXmlStreamReader>
#include <memory>
#include <set>

using namespace gks;

namespace {

struct TranslatedText {
    QString context;
    QString source;
    QString german;
};

std::vector<TranslatedText> germanTexts() {
    QFile file(QStringLiteral(GKS_SOURCE_DIR "/resources/translations/kernel-scientist_de.ts"));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("no German texts");
    }
    std::vector<TranslatedText> texts;
    QXmlStreamReader xml(&file);
    TranslatedText text;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("name")) {
            text.context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            text.source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            text.german = xml.readElementText();
            texts.push_back(text);
        }
    }
    return texts;
}

QString plain(QString text) {
    if (Qt::mightBeRichText(text)) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    static const QRegularExpression mnemonic(QStringLiteral("&(?=\\S)"));
    return text.remove(mnemonic).trimmed();
}

// Every text of the source that is another one in German; what has placeholders, as the pattern of all that may stand
// there.
class EnglishTexts final {
public:
    EnglishTexts() {
        std::set<QString> german;
        const std::vector<TranslatedText> texts = germanTexts();
        for (const TranslatedText& text : texts) {
            german.insert(plain(text.german));
        }
        static const QRegularExpression place(QStringLiteral("%\\d"));
        for (const TranslatedText& text : texts) {
            const QString source = plain(text.source);
            if (german.contains(source) || plain(text.german) == source) {
                continue; // "Name" is German too
            }
            const QString rest = QString(source).remove(place).remove(QRegularExpression(QStringLiteral("[^A-Za-z]")));
            if (!source.contains(place)) {
                m_whole.insert(source);
            } else if (rest.size() >= patternLetters) {
                QStringList parts;
                for (const QString& part : source.split(place)) {
                    parts.append(QRegularExpression::escape(part));
                }
                m_patterns.push_back(
                    QRegularExpression(QRegularExpression::anchoredPattern(parts.join(QStringLiteral(".*"))),
                                       QRegularExpression::DotMatchesEverythingOption));
            }
        }
    }

    bool contains(const QString& shown) const {
        const QString text = plain(shown);
        return m_whole.contains(text) ||
               std::any_of(m_patterns.begin(), m_patterns.end(),
                           [&](const QRegularExpression& pattern) { return pattern.match(text).hasMatch(); });
    }
    bool isEmpty() const { return m_whole.empty(); }

private:
    static constexpr int patternLetters = 8; // fewer say nothing: "%1 x %2"
    std::set<QString> m_whole;
    std::vector<QRegularExpression> m_patterns;
};

QString nameOf(const QObject* object) {
    return object->objectName().isEmpty() ? QString::fromLatin1(object->metaObject()->className())
                                          : object->objectName();
}

} // namespace

// The window in German, with the sample campaign: what is on show, page by page, and what a screen reader says of it.
class GermanTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        useLanguage(*qApp, QStringLiteral("de"));
    }

    void init() {
        WindowSeams seams{
            [](QWidget*) { return QString(); },
            [](QWidget*) { return ClosingChoice::pause; },
            [] { return CampaignChoices(); },
            [](const QString& file, CampaignStore::Access, QObject*,
               const std::function<void(Result<EngineBridge*>)>& opened) {
                opened(static_cast<EngineBridge*>(new RecordingBridge(file)));
            },
            [] { return Result<QString>(QString()); },
        };
        m_window = std::make_unique<MainWindow>(std::move(seams));
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() {
        m_window.reset();
        GuiTest::failOnWarnings();
    }

    void theSystemsLanguageIsTaken() {
        const QStringList german{QStringLiteral("de-AT"), QStringLiteral("en-US")};
        QCOMPARE(languageFor(QStringLiteral("system"), german), QStringLiteral("de"));
        QCOMPARE(languageFor(QStringLiteral("system"), {QStringLiteral("fr-FR"), QStringLiteral("de_DE")}),
                 QStringLiteral("de"));
        QCOMPARE(languageFor(QStringLiteral("system"), {QStringLiteral("C")}), QStringLiteral("en"));
        QCOMPARE(languageFor(QStringLiteral("en"), german), QStringLiteral("en"));
        QCOMPARE(languageFor(QStringLiteral("tlh"), german), QStringLiteral("de")); // chosen by a later version
    }

    void menusPagesAndRunBarAreGerman() {
        open();
        QStringList menus;
        for (const QAction* menu : m_window->menuBar()->actions()) {
            menus.append(plain(menu->text()));
        }
        QVERIFY2(menus.contains(QStringLiteral("Datei")) && menus.contains(QStringLiteral("Hilfe")),
                 qPrintable(menus.join(QStringLiteral(", "))));
        QCOMPARE(menus.removeDuplicates(), 0); // one word in every file: else a menu stands there twice
        QCOMPARE(menus.size(), englishMenus);
        isGerman(GuiTest::actionIn(m_window->allActions(), "run.start")->text());
        isGerman(GuiTest::actionIn(m_window->allActions(), "run.pause")->text());
        const auto* tabs = m_window->findChild<QWidget*>(QStringLiteral("pageTabs"));
        QVERIFY(tabs != nullptr);
        QCOMPARE(word("merge"), german("words", "merge"));
        QCOMPARE(stageText("default"), german("Stages", "Default"));
        QCOMPARE(stageText("writer/deep"), QStringLiteral("Writer deep"));
        QCOMPARE(stageText("no stage"), QStringLiteral("no stage"));
        QCOMPARE(verdictText(VerdictKind::faster), german("Terms", "faster"));
    }

    void theKernelPageIsGerman() {
        open();
        view()->selection().select(12);
        show("kernel");
        const auto* facts = m_window->findChild<QTextEdit*>(QStringLiteral("kernelFacts"));
        QVERIFY(facts != nullptr);
        QVERIFY2(facts->toPlainText().contains(german("QObject", "Verification")), qPrintable(facts->toPlainText()));
        QVERIFY(!facts->toPlainText().contains(QStringLiteral("Verification")));
    }

    // What core says in English on the command line, and the window in its own words.
    void statementsOfTheWindowAreGerman() {
        open();
        view()->selection().select(12);
        const auto* headline = m_window->findChild<QLabel*>(QStringLiteral("statusHeadline"));
        const QString said = german("Statements", "%1 not confirmed, by all paired runs over baseline %2%3")
                                 .section(QLatin1Char(' '), 1, 4);
        QVERIFY2(headline->text().contains(said), qPrintable(headline->text()));
        show("roofline");
        const auto* peaks = m_window->findChild<QLabel*>(QStringLiteral("rooflinePeaks"));
        QVERIFY2(peaks->text().startsWith(QStringLiteral("Keine Dächer")) ||
                     peaks->text().startsWith(QStringLiteral("Spitzen")),
                 qPrintable(peaks->text()));
        QCOMPARE(waitStatement({Wait::For::writing}), german("Statements", "waits to be written"));
        ComparisonFact open;
        open.verdict = VerdictKind::undecided;
        QVERIFY2(ratioOf(open).endsWith(QStringLiteral("bei 99 %")), qPrintable(ratioOf(open)));
    }

    // The manual is English, so its sections are looked up by the English title.
    void helpFindsItsSection() {
        open();
        show("calibration");
        view()->findChild<QWidget*>(QStringLiteral("pageTabs"))->setFocus();
        QCOMPARE(view()->helpTopic(), QStringLiteral("Calibration"));
    }

    void noEnglishIsLeft() {
        QVERIFY(!m_english.isEmpty());
        look(*m_window, QStringLiteral("start"));
        open();
        for (const KernelId kernel : {KernelId{1}, KernelId{12}, KernelId{17}}) {
            view()->selection().select(kernel);
            for (const QString& panel : view()->panelIds()) {
                show(panel.toLatin1().constData());
                look(*m_window, panel);
            }
        }
        QVERIFY2(m_window->width() == 1280 && m_window->height() == 800, "German is too long for a small screen");
        for (const QAction* action : m_window->allActions()) {
            complain(action->text(), *action, QStringLiteral("action"));
            complain(action->toolTip(), *action, QStringLiteral("action"));
        }
        QVERIFY2(m_found.empty(), qPrintable(QStringList(m_found.begin(), m_found.end()).join(QLatin1Char('\n'))));
    }

    void dialogsAreGermanToo() {
        open();
        SettingsDialog settings(m_window->allActions());
        settings.show();
        look(settings, QStringLiteral("settings"));
        NewCampaignDialog wizard{CampaignChoices()};
        wizard.show();
        look(wizard, QStringLiteral("new campaign"));
        QVERIFY2(m_found.empty(), qPrintable(QStringList(m_found.begin(), m_found.end()).join(QLatin1Char('\n'))));
    }

    void theLanguageIsChosenInTheSettings() {
        SettingsDialog settings({});
        settings.show();
        auto* language = settings.findChild<QComboBox*>(QStringLiteral("settingsLanguage"));
        QCOMPARE(language->currentData().toString(), QStringLiteral("system"));
        auto* note = settings.findChild<QLabel*>(QStringLiteral("settingsLanguageNote"));
        QVERIFY(!note->isVisible());
        language->setCurrentIndex(language->findText(QStringLiteral("Deutsch")));
        Q_EMIT language->activated(language->currentIndex());
        QCOMPARE(Settings::instance().value(settings::language), QStringLiteral("de"));
        QVERIFY(note->isVisible()); // that it takes effect at the next start
        language->setCurrentIndex(0);
        Q_EMIT language->activated(0);
        QCOMPARE(Settings::instance().value(settings::language), QStringLiteral("system"));
    }

    void numbersStayAsInTheReports() {
        QCOMPARE(QLocale().toString(1.5), QStringLiteral("1.5"));
        QCOMPARE(QString::asprintf("%.1f", 1.5), QStringLiteral("1.5"));
    }

private:
    static constexpr int englishMenus = 7;

    void open() {
        m_window->openCampaign(QStringLiteral("/campaigns/sample.gks"));
        QTRY_VERIFY(view() != nullptr && view()->isSettled());
    }
    void show(const char* panel) {
        view()->showPanel(QLatin1String(panel));
        QTRY_VERIFY(view()->isSettled());
        QCoreApplication::sendPostedEvents(); // what came into view has its place by then
    }
    CampaignView* view() const { return m_window->currentView(); }

    static QString german(const char* context, const char* source) {
        const QString text = QCoreApplication::translate(context, source);
        if (text == QLatin1String(source)) {
            qFatal("%s has no German", source);
        }
        return text;
    }
    void isGerman(const QString& text) const { QVERIFY2(!m_english.contains(text), qPrintable(text)); }

    void complain(const QString& text, const QObject& where, const QString& page) {
        if (!text.isEmpty() && m_english.contains(text)) {
            m_found.insert(page + QStringLiteral(": ") + nameOf(&where) + QStringLiteral(": ") + plain(text));
        }
    }

    void look(const QWidget& root, const QString& page) {
        for (const QWidget* widget : root.findChildren<QWidget*>()) {
            if (!widget->isVisible()) {
                continue;
            }
            complain(widget->accessibleName(), *widget, page);
            complain(widget->accessibleDescription(), *widget, page);
            complain(widget->toolTip(), *widget, page);
            if (const auto* button = qobject_cast<const QPushButton*>(widget); button && isCut(*button)) {
                m_found.insert(page + QStringLiteral(": cut: ") + plain(button->text()));
            }
            if (const auto* label = qobject_cast<const QLabel*>(widget)) {
                complain(label->text(), *label, page);
            } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
                complain(button->text(), *button, page);
            } else if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
                complain(line->placeholderText(), *line, page);
            } else if (const auto* group = qobject_cast<const QGroupBox*>(widget)) {
                complain(group->title(), *group, page);
            } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
                for (int item = 0; item < box->count(); ++item) {
                    complain(box->itemText(item), *box, page);
                }
            } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    complain(tabs->tabText(tab), *tabs, page);
                }
            } else if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->model()) {
                for (int section = 0; section < header->count(); ++section) {
                    for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) {
                        complain(header->model()->headerData(section, header->orientation(), role).toString(), *header,
                                 page);
                    }
                }
            }
        }
        for (const QAction* action : root.findChildren<QAction*>()) {
            complain(action->text(), *action, page);
            complain(action->toolTip(), *action, page);
        }
    }

    // German is longer: a button that is narrower than its text, or beside the edge of what holds it.
    static bool isCut(const QPushButton& button) {
        return button.width() < button.minimumSizeHint().width() ||
               (button.parentWidget() != nullptr && !button.parentWidget()->rect().contains(button.geometry())) ||
               button.visibleRegion().boundingRect().width() < button.width();
    }

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<MainWindow> m_window;
    EnglishTexts m_english;
    std::set<QString> m_found;
};

QTEST_MAIN(GermanTest)
#include "gui_german.moc"
