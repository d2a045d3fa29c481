// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settings_dialog.h"

#include "widgets/common/actions.h"
#include "widgets/common/language.h"
#include "widgets/common/message_label.h"
#include "widgets/common/palette.h"
#include "widgets/common/settings.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

SettingsDialog::SettingsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), m_actions(actions), m_shortcuts(buildShortcuts()), m_conflicts(new MessageLabel) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    m_conflicts->setObjectName(QStringLiteral("shortcutConflicts"));
    m_conflicts->setProperty("error", true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* close = buttons->button(QDialogButtonBox::Close);
    close->setObjectName(QStringLiteral("settingsClose"));
    close->setAccessibleName(tr("Close"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    column->setSpacing(spacing2);
    column->addWidget(buildChoices());
    column->addWidget(m_shortcuts, 1);
    column->addWidget(m_conflicts);
    column->addWidget(buttons);
    updateConflicts();
    resize(620, 560);
}

QWidget* SettingsDialog::buildChoices() {
    auto* theme = new QComboBox;
    theme->setObjectName(QStringLiteral("settingsTheme"));
    theme->setAccessibleName(tr("Theme"));
    theme->addItem(tr("Follow system"), Theme::name(Theme::Choice::system));
    theme->addItem(tr("Dark"), Theme::name(Theme::Choice::dark));
    theme->addItem(tr("Light"), Theme::name(Theme::Choice::light));
    theme->setCurrentIndex(theme->findData(Theme::name(Theme::instance().choice())));
    connect(theme, &QComboBox::activated, this, [theme] {
        Settings::instance().set(settings::theme, theme->currentData().toString());
        Theme::instance().setChoice(Theme::choiceFromName(theme->currentData().toString()));
    });
    auto* language = new QComboBox;
    language->setObjectName(QStringLiteral("settingsLanguage"));
    language->setAccessibleName(tr("Language"));
    language->addItem(tr("System"), settings::language.defaultValue);
    for (const Language& one : languages()) {
        language->addItem(one.name, one.id);
    }
    language->setToolTip(tr("Takes effect at the next start"));
    language->setCurrentIndex(std::max(0, language->findData(Settings::instance().value(settings::language))));
    auto* atNextStart = new QLabel(tr("Takes effect at the next start"));
    atNextStart->setObjectName(QStringLiteral("settingsLanguageNote"));
    atNextStart->setVisible(false);
    connect(language, &QComboBox::activated, this, [language, atNextStart] {
        Settings::instance().set(settings::language, language->currentData().toString());
        atNextStart->setVisible(true);
    });
    auto* live = new QCheckBox(tr("&Compile while typing"));
    live->setObjectName(QStringLiteral("settingsCompileWhileTyping"));
    live->setAccessibleName(tr("Compile while typing"));
    live->setToolTip(tr("Errors, registers, LDS and waves of the kernel that you edit, in the sandbox"));
    live->setChecked(Settings::instance().value(settings::compileWhileTyping));
    connect(live, &QCheckBox::toggled, this,
            [](bool on) { Settings::instance().set(settings::compileWhileTyping, on); });
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("&Theme"), theme);
    form->addRow(tr("&Language"), language);
    form->addRow(QString(), atNextStart);
    form->addRow(tr("Editor"), live);
    auto* notify = new QCheckBox(tr("Tell me when a &run ends while I look elsewhere"));
    notify->setObjectName(QStringLiteral("settingsNotify"));
    notify->setAccessibleName(tr("Tell me when a run ends"));
    notify->setChecked(Settings::instance().value(notifyRunEnd));
    connect(notify, &QCheckBox::toggled, this, [](bool on) { Settings::instance().set(notifyRunEnd, on); });
    form->addRow(QString(), notify);
    return box;
}

QTableWidget* SettingsDialog::buildShortcuts() {
    auto* table = new QTableWidget(static_cast<int>(m_actions.size()), 2);
    table->setObjectName(QStringLiteral("settingsShortcuts"));
    table->setAccessibleName(tr("Shortcuts"));
    table->setHorizontalHeaderLabels({tr("Command"), tr("Shortcut")});
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setColumnWidth(1, 190);
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    for (int row = 0; row < m_actions.size(); ++row) {
        QAction* action = m_actions[row];
        const QString what = action->text().remove(QLatin1Char('&'));
        auto* item = new QTableWidgetItem(what);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        table->setItem(row, 0, item);
        auto* edit = new QKeySequenceEdit(action->shortcut());
        edit->setObjectName(QStringLiteral("shortcut.") % action->objectName());
        edit->setAccessibleName(tr("Shortcut for %1").arg(what));
        connect(edit, &QKeySequenceEdit::editingFinished, this, [this, edit, action] {
            if (edit->keySequence() == ActionCollection::defaultShortcut(action)) {
                Settings::instance().clearShortcut(action->objectName());
            } else {
                Settings::instance().setShortcut(action->objectName(), edit->keySequence().toString());
            }
            updateConflicts();
        });
        table->setCellWidget(row, 1, edit);
    }
    return table;
}

void SettingsDialog::updateConflicts() {
    const QStringList conflicts = shortcutConflicts(m_actions);
    m_conflicts->setText(conflicts.isEmpty() ? QString()
                                             : tr("Shortcut used twice: %1").arg(conflicts.join(QStringLiteral("; "))));
    m_conflicts->setVisible(!conflicts.isEmpty());
}

} // namespace gks
