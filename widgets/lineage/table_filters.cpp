// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/table_filters.h"

#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QUrl>

namespace gks {

namespace {

constexpr int narrowChoice = 5;    // characters; the dock may be narrow
constexpr int narrowestChoice = 4; // heights of a line
constexpr int everything = -1;

} // namespace

TableFilters::TableFilters(const PanelContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_state(named(new QComboBox, "tableState", tr("State of the kernels in the table")))
    , m_author(named(new QComboBox, "tableAuthor", tr("Who made the kernels in the table")))
    , m_shape(named(new QComboBox, "tableShape", tr("Shape that has a column")))
    , m_count(named(new ElidedLabel, "tableCount", tr("Kernels in the table"))) {
    m_state->addItem(tr("All states"), 0U);
    m_state->addItem(tr("Accepted"), static_cast<uint>(groupAccepted));
    m_state->addItem(tr("Faster"), static_cast<uint>(groupFaster));
    m_state->addItem(tr("Failed"), static_cast<uint>(groupFailed));
    m_state->addItem(tr("Not evaluated"), static_cast<uint>(groupOpen));
    m_state->addItem(tr("Banned"), static_cast<uint>(groupBanned));
    m_author->addItem(tr("All authors"), everything);
    for (const Author author : {Author::seed, Author::person, Author::model, Author::tuner}) {
        m_author->addItem(authorText(author), static_cast<int>(author));
    }
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing2, 2, spacing2, 2);
    row->setSpacing(spacing1);
    for (QComboBox* choice : {m_state, m_author, m_shape}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(narrowChoice);
        choice->setMinimumWidth(choice->fontMetrics().height() * narrowestChoice); // below what it asks for
        choice->setToolTip(choice->accessibleName());
        row->addWidget(choice, 1);
        connect(choice, &QComboBox::currentIndexChanged, this, [this] {
            remember();
            Q_EMIT changed();
        });
    }
    m_count->setProperty("quiet", true);
    m_count->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    row->addWidget(m_count);
    connect(context.bridge, &EngineBridge::problemChanged, this, &TableFilters::fillShapes);
    fillShapes();
}

void TableFilters::fillShapes() {
    {
        const QSignalBlocker quiet(m_shape);
        m_shape->clear();
        m_shape->addItem(tr("No shape"), everything);
        const auto& problem = m_context.bridge->problem();
        int number = 0;
        for (const Shape& shape : m_context.bridge->shapes()) {
            m_shape->addItem(shapeText(problem->namedShape(shape), problem->dims), number++);
        }
    }
    restore();
}

RowFilter TableFilters::filter() const {
    RowFilter filter;
    filter.groups = m_state->currentData().toUInt();
    if (const int author = m_author->currentData().toInt(); author != everything) {
        filter.author = author;
    }
    return filter;
}

std::optional<std::size_t> TableFilters::shape() const {
    const int shape = m_shape->currentData().toInt();
    return shape == everything ? std::nullopt : std::optional(static_cast<std::size_t>(shape));
}

void TableFilters::setCount(int shown, int all) {
    m_count->setText(shown == all ? QString() : tr("%1 of %2").arg(shown).arg(all));
}

QByteArray TableFilters::key() const {
    return QByteArrayLiteral("lineage/filter/") + QUrl::toPercentEncoding(m_context.bridge->file());
}

void TableFilters::remember() {
    const QByteArray name = key();
    Settings::instance().set(
        Setting<QStringList>{name.constData(), {}},
        {m_state->currentData().toString(), m_author->currentData().toString(), m_shape->currentData().toString()});
}

void TableFilters::restore() {
    const QByteArray name = key();
    const QStringList kept = Settings::instance().value(Setting<QStringList>{name.constData(), {}});
    const QSignalBlocker quietState(m_state);
    const QSignalBlocker quietAuthor(m_author);
    const QSignalBlocker quietShape(m_shape);
    m_state->setCurrentIndex(std::max(0, m_state->findData(kept.value(0).toUInt())));
    m_author->setCurrentIndex(std::max(0, m_author->findData(kept.value(1, QStringLiteral("-1")).toInt())));
    m_shape->setCurrentIndex(std::max(0, m_shape->findData(kept.value(2, QStringLiteral("-1")).toInt())));
    Q_EMIT changed();
}

} // namespace gks
