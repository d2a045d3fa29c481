// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window_questions.h"

#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

namespace gks {
namespace {

// A question whose answers are worth a T; Escape and the last answer leave everything as it is.
template<class T>
class Question {
public:
    Question(QWidget* parent, const char* objectName, const QString& title, const QString& text, const QString& more)
        : m_box(QMessageBox::Question, title, text, QMessageBox::NoButton, parent) {
        m_box.setObjectName(QLatin1String(objectName));
        m_box.setTextFormat(Qt::PlainText);
        m_box.setInformativeText(more);
    }
    void add(const QString& text, const char* objectName, T value,
             QMessageBox::ButtonRole role = QMessageBox::AcceptRole) {
        QPushButton* button = m_box.addButton(text, role);
        m_answers.emplace_back(named(button, objectName, QString(text).remove(QLatin1Char('&'))), value);
    }
    T ask() {
        auto* stay = m_answers.back().first;
        m_box.setDefaultButton(stay); // Enter must not be an answer
        m_box.setEscapeButton(stay);
        m_box.exec();
        for (const auto& [button, value] : m_answers) {
            if (m_box.clickedButton() == button) {
                return value;
            }
        }
        return m_answers.back().second;
    }

private:
    QMessageBox m_box;
    std::vector<std::pair<QPushButton*, T>> m_answers;
};

} // namespace

ClosingChoice askClosing(QWidget* parent) {
    Question<ClosingChoice> question(parent, "closingQuestion", MainWindow::tr("Campaign still running"),
                                     MainWindow::tr("This campaign is still running. Close it anyway?"),
                                     MainWindow::tr("Finished evaluations are kept in every case."));
    question.add(MainWindow::tr("&Keep running in background"), "closingKeep", ClosingChoice::keepRunning);
    question.add(MainWindow::tr("Pause after the &current kernel"), "closingAfter", ClosingChoice::stopAfterCurrent);
    question.add(MainWindow::tr("&Stop now"), "closingPause", ClosingChoice::pause, QMessageBox::DestructiveRole);
    question.add(MainWindow::tr("Cancel"), "closingCancel", ClosingChoice::cancel, QMessageBox::RejectRole);
    return question.ask();
}

UnsavedChoice askUnsaved(QWidget* parent, const QStringList& texts, bool kernel) {
    Question<UnsavedChoice> question(
        parent, "unsavedQuestion", MainWindow::tr("Unsaved text"),
        MainWindow::tr("Not saved yet:") % QStringLiteral("\n\u2022 ") % texts.join(QStringLiteral("\n\u2022 ")),
        kernel && texts.size() > 1
            ? MainWindow::tr(
                  "Kept text comes back when the campaign is opened again. Saving the kernel keeps the rest.")
            : MainWindow::tr("Kept text comes back when the campaign is opened again."));
    if (kernel) {
        question.add(MainWindow::tr("&Save as new kernel"), "unsavedSaveKernel", UnsavedChoice::saveAsKernel);
    }
    question.add(MainWindow::tr("&Keep for next time"), "unsavedKeep", UnsavedChoice::keep);
    question.add(MainWindow::tr("&Discard"), "unsavedDiscard", UnsavedChoice::discard, QMessageBox::DestructiveRole);
    question.add(MainWindow::tr("S&tay"), "unsavedStay", UnsavedChoice::stay, QMessageBox::RejectRole);
    return question.ask();
}

QString askAddress(QWidget* parent) {
    QInputDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("addressQuestion"));
    dialog.setWindowTitle(MainWindow::tr("Open remote"));
    dialog.setLabelText(MainWindow::tr("Address of the campaign. ssh has to get there without a question, and\n"
                                       "kernel-scientist-cli has to be there:"));
    dialog.setTextValue(QStringLiteral("ssh://"));
    dialog.resize(spacing3 * 45, dialog.sizeHint().height());
    if (auto* line = dialog.findChild<QLineEdit*>()) {
        line->setPlaceholderText(QStringLiteral("ssh://user@host/path/FILE.gks"));
        line->setAccessibleName(MainWindow::tr("Address of the campaign"));
    }
    const QString address = dialog.exec() == QDialog::Accepted ? dialog.textValue().trimmed() : QString();
    return address == QLatin1String("ssh://") ? QString() : address;
}

RunChoice askAboutRun(QWidget* parent, const QString& file, const std::optional<RunningCampaign>& run) {
    const QString who = run ? QString(toText(stateText(*run)) % QStringLiteral(", ") % toText(placeText(run->place)) %
                                      QStringLiteral(", ") % toText(processText(*run)))
                            : MainWindow::tr("Another user's program or another machine");
    Question<RunChoice> question(
        parent, "runQuestion", MainWindow::tr("The campaign is open elsewhere"),
        MainWindow::tr("%1 is open elsewhere: %2.").arg(QFileInfo(file).fileName(), who),
        run && run->here
            ? MainWindow::tr("Watch follows the run; what you decide is carried out there.")
            : MainWindow::tr("Watch opens it read-only and follows the run. One program at a time may change it."));
    question.add(MainWindow::tr("&Watch"), "runChoiceWatch", RunChoice::watch);
    if (run && run->here) {
        question.add(MainWindow::tr("&Take over"), "runChoiceTakeOver", RunChoice::takeOver,
                     QMessageBox::DestructiveRole);
        question.add(MainWindow::tr("&Stop"), "runChoiceStop", RunChoice::stop, QMessageBox::DestructiveRole);
    }
    question.add(MainWindow::tr("Cancel"), "runChoiceCancel", RunChoice::cancel, QMessageBox::RejectRole);
    return question.ask();
}

} // namespace gks
