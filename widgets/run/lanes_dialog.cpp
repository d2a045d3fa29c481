// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/lanes_dialog.h"

#include "core/campaign/lane_spec.h"
#include "core/remote/lane_check.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

LanesDialog::LanesDialog(const QString& file, TargetKind target, QWidget* parent)
    : QDialog(parent)
    , m_file(file)
    , m_target(target)
    , m_lanes(named(new QLineEdit, "laneField", tr("Devices")))
    , m_error(named(new MessageLabel, "laneError", tr("What is wrong with the devices")))
    , m_found(named(new MessageLabel, "laneFound", tr("What the devices are")))
    , m_check(named(new QPushButton(tr("&Check")), "laneCheck", tr("Look what the devices are"))) {
    setObjectName(QStringLiteral("lanesDialog"));
    setWindowTitle(tr("Devices of %1").arg(QFileInfo(file).fileName()));
    setAccessibleName(windowTitle());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    auto* about =
        new MessageLabel(tr("Where kernels are evaluated: local:0 is device 0 of the campaign's target, "
                            "ssh:HOST:gpu0-7 are eight devices of another machine, slurm:partition=P,gpus=8 eight jobs "
                            "of a cluster, folder:DIR is a folder whose jobs another machine works off. Empty: the "
                            "campaign's own device. Used when the campaign is opened the next time."));
    all->addWidget(about);
    m_lanes->setText(Settings::instance().lanes(file));
    m_lanes->setPlaceholderText(QStringLiteral("local:0 ssh:me@node1:gpu0-7"));
    auto* folder = named(new QPushButton(tr("Add &folder...")), "laneFolder", tr("Add folder"));
    folder->setAutoDefault(false);
    connect(folder, &QPushButton::clicked, this, &LanesDialog::addFolder);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing2);
    row->addWidget(m_lanes, 1);
    row->addWidget(folder);
    m_check->setAutoDefault(false);
    connect(m_check, &QPushButton::clicked, this, &LanesDialog::check);
    row->addWidget(m_check);
    all->addLayout(row);
    m_error->setProperty("error", true);
    m_error->hide();
    all->addWidget(m_error);
    m_found->hide();
    all->addWidget(m_found);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    named(buttons->button(QDialogButtonBox::Ok), "laneAccept", tr("OK"));
    named(buttons->button(QDialogButtonBox::Cancel), "laneReject", tr("Cancel"));
    all->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &LanesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(520);
}

bool LanesDialog::isRight() {
    const QString text = m_lanes->text().trimmed();
    const auto lanes = text.isEmpty() ? Result<std::vector<LaneSpec>>() : parseLanes(text.toStdString());
    m_error->setVisible(!lanes);
    if (!lanes) {
        m_error->setText(toText(lanes.error().message()));
        m_lanes->setFocus();
    }
    return lanes.has_value();
}

void LanesDialog::accept() {
    if (isRight()) {
        Settings::instance().setLanes(m_file, m_lanes->text().trimmed());
        QDialog::accept();
    }
}

void LanesDialog::check() {
    if (!isRight()) {
        return;
    }
    CampaignSettings settings;
    settings.target = m_target;
    const QString text = m_lanes->text().trimmed();
    auto lanes = text.isEmpty() ? std::vector<LaneSpec>() : parseLanes(text.toStdString()).value();
    m_check->setEnabled(false);
    m_found->setText(tr("Looking..."));
    m_found->show();
    m_checking.start(
        [lanes = lanesOf(settings, std::move(lanes))](const std::stop_token& stop) {
            QStringList rows;
            for (const LaneFound& found : checkLanes(lanes, [](const LaneSpec&, const std::string&) {}, stop)) {
                rows.append(toText(found.lane.label() + ": " + found.text()));
            }
            return rows.join(QLatin1Char('\n'));
        },
        [this](const QString& found) {
            m_found->setText(found);
            m_check->setEnabled(true);
        });
}

void LanesDialog::addFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of jobs and results"));
    if (!folder.isEmpty()) {
        const QString before = m_lanes->text().trimmed();
        m_lanes->setText(QString(before % (before.isEmpty() ? QString() : QStringLiteral(" ")) %
                                 QStringLiteral("folder:\"%1\"").arg(folder)));
    }
}

} // namespace gks
