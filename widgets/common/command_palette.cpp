// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/command_palette.h"

#include "widgets/common/actions.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

constexpr int menuRole = Qt::UserRole;
constexpr int keysRole = Qt::UserRole + 1;

// Name at the left, menu quiet beside it, shortcut at the right.
class CommandDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), option.fontMetrics.height() + 2 * spacing1 + 2};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Palette& colors = Theme::instance().palette();
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, option.palette.highlight());
        }
        const QRect area = option.rect.adjusted(spacing2, 0, -spacing3, 0);
        const QString menu = index.data(menuRole).toString();
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        painter->setPen(enabled ? colors.text : colors.quietText);
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft, index.data(Qt::DisplayRole).toString());
        const int used = option.fontMetrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
        painter->setPen(colors.quietText);
        painter->drawText(area.adjusted(used + spacing3, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, menu);
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignRight, index.data(keysRole).toString());
    }
};

} // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint)
    , m_search(new QLineEdit)
    , m_list(new QListWidget)
    , m_actions(actions) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Command palette"));
    setAccessibleName(tr("Command palette"));
    m_search->setObjectName(QStringLiteral("commandSearch"));
    m_search->setAccessibleName(tr("Search commands"));
    m_search->setPlaceholderText(tr("Type a command"));
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(tr("Command palette"));
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setUniformItemSizes(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing2, spacing2, spacing2, spacing2);
    column->setSpacing(spacing2);
    column->addWidget(m_search);
    column->addWidget(m_list);
    resize(560, 420);

    std::stable_sort(m_actions.begin(), m_actions.end(),
                     [](const QAction* a, const QAction* b) { return a->isEnabled() > b->isEnabled(); });
    for (const QAction* action : std::as_const(m_actions)) {
        auto* item = new QListWidgetItem(action->text().remove(QLatin1Char('&')), m_list);
        item->setData(menuRole, ActionCollection::menuOf(action).remove(QLatin1Char('&')));
        item->setData(keysRole, action->shortcut().toString(QKeySequence::NativeText));
        if (!action->isEnabled()) {
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        }
    }
    filter({});
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_search, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::runCurrent);
}

int CommandPalette::visibleCount() const {
    int count = 0;
    for (int row = 0; row < m_list->count(); ++row) {
        count += m_list->item(row)->isHidden() ? 0 : 1;
    }
    return count;
}

void CommandPalette::filter(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const QString whole = item->text() % QLatin1Char(' ') % item->data(menuRole).toString();
        const bool match = std::all_of(words.begin(), words.end(), [&whole](const QString& word) {
            return whole.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!match);
        if (match && first < 0 && item->flags().testFlag(Qt::ItemIsEnabled)) {
            first = row;
        }
    }
    m_list->setCurrentRow(first);
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentRow();
    if (row < 0 || m_list->item(row)->isHidden()) {
        return;
    }
    QAction* action = m_actions[row];
    accept();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up || key->key() == Qt::Key_PageDown ||
            key->key() == Qt::Key_PageUp) {
            QKeyEvent copy(key->type(), key->key(), key->modifiers());
            QCoreApplication::sendEvent(m_list, &copy);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace gks
