// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/seed_list.h"

#include "core/engine/new_campaign.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace gks {
namespace {

constexpr int nameRole = Qt::UserRole; // a seed's name, or the path of an own kernel
constexpr int ownRole = Qt::UserRole + 1;
constexpr int visibleRows = 4;

// The style draws the box of a list in the colour of its ground: what is not ticked could not be seen on a dark one.
class BoxDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem filled = option;
        initStyleOption(&filled, index);
        const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
        const QRect box = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &filled, option.widget);
        painter->save();
        painter->setPen(Theme::instance().palette().quietText);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(box.adjusted(0, 0, -1, -1));
        painter->restore();
    }
};

bool isTicked(const QListWidgetItem* item) {
    return item->checkState() == Qt::Checked;
}

} // namespace

SeedList::SeedList(AskFiles askFiles, QWidget* parent)
    : QWidget(parent)
    , m_askFiles(std::move(askFiles))
    , m_list(named(new QListWidget, "newSeeds", tr("Kernels to begin with")))
    , m_add(named(new QPushButton(tr("Add &kernels...")), "newAddKernels", tr("Add kernels of your own")))
    , m_remove(named(new QPushButton(tr("&Remove")), "newRemoveKernel", tr("Remove the selected kernel")))
    , m_baseline(named(new QComboBox, "newBaseline", tr("Baseline"))) {
    m_list->setFixedHeight(visibleRows * (fontMetrics().height() + 6));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the tip has the whole path
    m_list->setItemDelegate(new BoxDelegate(m_list));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_add->setToolTip(tr("HIP sources of your own, several at once; they are read when the campaign is made"));
    m_baseline->setToolTip(tr("The kernel that speedups refer to"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_baseline->setMinimumContentsLength(16);
    auto* label = new QLabel(tr("Base&line"));
    label->setBuddy(m_baseline);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing2);
    row->addWidget(m_add);
    row->addWidget(m_remove);
    row->addSpacing(spacing2);
    row->addWidget(label);
    row->addWidget(m_baseline, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing1);
    column->addWidget(m_list);
    column->addLayout(row);
    m_remove->setEnabled(false);
    connect(m_add, &QPushButton::clicked, this, [this] { addKernels(m_askFiles(this)); });
    connect(m_remove, &QPushButton::clicked, this, &SeedList::removeSelected);
    connect(m_list, &QListWidget::itemChanged, this, &SeedList::updateBaseline);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        m_remove->setEnabled(item != nullptr && item->data(ownRole).toBool());
    });
}

QWidget* SeedList::list() const {
    return m_list;
}

void SeedList::addItem(const QString& text, const QString& name, bool isOwn) {
    auto* item = new QListWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
    item->setData(nameRole, name);
    item->setData(ownRole, isOwn);
    item->setToolTip(name);
    m_list->addItem(item);
}

void SeedList::setSeeds(const std::vector<Seed>& seeds) {
    const QSignalBlocker quiet(m_list);
    QStringList own;
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(ownRole).toBool()) {
            own.append(m_list->item(row)->data(nameRole).toString());
        }
    }
    m_list->clear();
    for (const Seed& seed : seeds) {
        addItem(tr("%1: %2").arg(seed.name, seed.title), seed.name, false);
    }
    addKernels(own);
    updateBaseline();
}

void SeedList::addKernels(const QStringList& files) {
    for (const QString& file : files) {
        bool known = m_list->count() >= static_cast<int>(ownSeedLimit);
        for (int row = 0; row < m_list->count() && !known; ++row) {
            known = m_list->item(row)->data(ownRole).toBool() && m_list->item(row)->data(nameRole).toString() == file;
        }
        if (!known) {
            addItem(tr("%1   your own, %2").arg(QFileInfo(file).fileName(), QFileInfo(file).path()), file, true);
        }
    }
    updateBaseline();
}

void SeedList::removeSelected() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item != nullptr && item->data(ownRole).toBool()) {
        delete item;
        updateBaseline();
    }
}

// Only what is ticked can be it; the choice stays while it may.
void SeedList::updateBaseline() {
    const QString chosen = m_baseline->currentData().toString();
    m_baseline->clear();
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem* item = m_list->item(row);
        if (isTicked(item)) {
            const QString name = item->data(nameRole).toString();
            m_baseline->addItem(item->data(ownRole).toBool() ? QFileInfo(name).fileName() : name, name);
        }
    }
    if (const int at = m_baseline->findData(chosen); at >= 0) {
        m_baseline->setCurrentIndex(at);
    }
    Q_EMIT edited();
}

bool SeedList::isEmpty() const {
    return m_baseline->count() == 0;
}

void SeedList::write(NewCampaign& wanted) const {
    int ofPack = 0;
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem* item = m_list->item(row);
        const std::string name = item->data(nameRole).toString().toStdString();
        const bool isOwn = item->data(ownRole).toBool();
        ofPack += isOwn ? 0 : 1;
        if (isTicked(item) && isOwn) {
            wanted.kernels.emplace_back(name);
        } else if (isTicked(item)) {
            wanted.seeds.push_back(name);
        }
    }
    wanted.packSeeds = ofPack == 0 || !wanted.seeds.empty();
    wanted.baseline = m_baseline->currentIndex() > 0 ? m_baseline->currentData().toString().toStdString() : "";
}

} // namespace gks
