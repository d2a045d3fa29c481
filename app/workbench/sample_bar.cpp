// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/sample_bar.h"

#include "widgets/common/icons.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace gks {

SampleBar::SampleBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sampleBar"));
    auto* text = new QLabel(tr("Sample, read-only: what a model did with the paper's fp8 GEMM on an NVIDIA H200. "
                               "Look around; nothing runs."));
    text->setObjectName(QStringLiteral("sampleText"));
    text->setWordWrap(true);
    auto* here = named(new QPushButton(icon(Icon::run), tr("&Try it here: fp8-gemm on this CPU")), "sampleTry",
                       tr("Try it here: fp8-gemm on this CPU"));
    here->setToolTip(
        tr("Makes a campaign of the same problem and runs it on this machine's CPU with the tuner: no GPU, no "
           "model, no network"));
    auto* own = named(new QPushButton(tr("New campai&gn...")), "sampleNew", tr("New campaign"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    row->setSpacing(spacing2);
    row->addWidget(text, 1);
    row->addWidget(here);
    row->addWidget(own);
    connect(here, &QPushButton::clicked, this, &SampleBar::demoRequested);
    connect(own, &QPushButton::clicked, this, &SampleBar::newRequested);
}

} // namespace gks
