// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/start_page.h"

#include "app/workbench/running_list.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_label.h"
#include "widgets/common/palette.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"

#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

namespace {

constexpr int columnWidth = 640;

QPushButton* startButton(Icon which, const QString& text, const QString& name) {
    auto* button = new QPushButton(icon(which), text);
    button->setObjectName(name);
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    return button;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_error(new QFrame)
    , m_errorWhat(new MessageLabel)
    , m_errorNext(new MessageLabel)
    , m_busy(new ElidedLabel)
    , m_recentTitle(new QLabel(tr("Recent campaigns")))
    , m_running(new RunningList)
    , m_recent(new QListWidget) {
    setObjectName(QStringLiteral("startPage"));
    auto* title = new QLabel(tr("GPU Kernel Scientist"));
    QFont large = title->font();
    large.setPixelSize(22);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    auto* subtitle = new MessageLabel(tr("A tuner or a language model proposes kernels, the judge builds, verifies and "
                                         "measures them, you steer. Every speedup comes with its evidence."));
    subtitle->setProperty("quiet", true);
    auto* create = startButton(Icon::plus, tr("&New campaign..."), QStringLiteral("startNew"));
    create->setDefault(true);
    auto* open = startButton(Icon::open, tr("&Open campaign..."), QStringLiteral("startOpen"));
    auto* demo = startButton(Icon::run, tr("&Try it here"), QStringLiteral("startDemo"));
    demo->setToolTip(tr("The tuner speeds up fp8-gemm on this CPU. No GPU, model or network needed."));
    auto* sample = startButton(Icon::evidence, tr("&Sample"), QStringLiteral("startSample"));
    sample->setToolTip(tr("A campaign of a model on an NVIDIA H200, read-only"));
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
    connect(demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    connect(create, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(create);
    buttons->addWidget(open);
    buttons->addWidget(demo);
    buttons->addWidget(sample);
    buttons->addWidget(m_busy, 1);
    m_busy->setProperty("quiet", true);
    m_recentTitle->setProperty("heading", true);
    m_recent->setObjectName(QStringLiteral("recentCampaigns"));
    m_recent->setAccessibleName(tr("Recent campaigns"));
    m_recent->setFrameShape(QFrame::NoFrame);
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT fileRequested(item->data(Qt::UserRole).toString()); });

    auto* content = new QWidget;
    content->setFixedWidth(columnWidth);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing3);
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(subtitle);
    column->addSpacing(spacing2);
    column->addLayout(buttons);
    column->addWidget(buildError());
    column->addSpacing(spacing3);
    column->addWidget(m_running);
    column->addWidget(m_recentTitle);
    column->addWidget(m_recent, 2);
    column->addWidget(buildHints());
    column->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->addStretch(1);
    row->addWidget(content);
    row->addStretch(1);
    updateRecent();
}

QWidget* StartPage::buildError() {
    m_error->setObjectName(QStringLiteral("startError"));
    m_error->setFrameShape(QFrame::StyledPanel);
    m_errorWhat->setProperty("error", true);
    auto* inside = new QVBoxLayout(m_error);
    inside->setSpacing(spacing1);
    inside->addWidget(m_errorWhat);
    inside->addWidget(m_errorNext);
    m_error->hide();
    return m_error;
}

QWidget* StartPage::buildHints() {
    auto* hints = new QWidget;
    hints->setObjectName(QStringLiteral("startHints"));
    auto* text = new QLabel(tr("Press Run to start, or Step to run one round.\nSelect a kernel and press P to pin it "
                               "as the next parent.\nPress Ctrl+Shift+P to find any command."));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setProperty("quiet", true);
    auto* dismiss = new QPushButton(tr("D&ismiss"));
    dismiss->setObjectName(QStringLiteral("dismissHints"));
    dismiss->setAccessibleName(tr("Do not show these hints again"));
    auto* row = new QHBoxLayout(hints);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(text, 1);
    row->addWidget(dismiss, 0, Qt::AlignBottom);
    connect(dismiss, &QPushButton::clicked, hints, [hints] {
        Settings::instance().set(settings::hintsDismissed, true);
        hints->hide();
    });
    hints->setVisible(!Settings::instance().value(settings::hintsDismissed));
    return hints;
}

void StartPage::showError(const QString& file, const Error& error) {
    const QString where = error.where.empty() ? file : toText(error.where);
    m_errorWhat->setText(where.isEmpty() ? toText(error.what)
                                         : QString(where % QStringLiteral(": ") % toText(error.what)));
    m_errorNext->setText(toText(error.next));
    m_errorNext->setVisible(!error.next.empty());
    m_error->show();
}

void StartPage::clearError() {
    m_error->hide();
}

void StartPage::setBusy(const QString& text) {
    m_busy->setText(text);
    m_running->setBusy(!text.isEmpty());
}

void StartPage::updateRecent() {
    m_recent->clear();
    const QStringList files = Settings::instance().value(settings::recentCampaigns);
    for (const QString& file : files) {
        auto* item = new QListWidgetItem(
            QFileInfo(file).completeBaseName() % QStringLiteral("    ") % QFileInfo(file).path(), m_recent);
        item->setData(Qt::UserRole, file);
        item->setToolTip(file);
    }
    m_recent->setVisible(!files.isEmpty());
    m_recentTitle->setVisible(!files.isEmpty());
}

} // namespace gks
