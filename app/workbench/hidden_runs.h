// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

namespace gks {

class CampaignView;

// Campaigns that go on after their tab or their window was closed, until nothing of them is in flight. The program ends
// only when the last of them is done and no window is left.
class HiddenRuns final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~HiddenRuns() override;

    void add(CampaignView* view); // takes it over
    // Back to the caller; null: this file is not among them.
    CampaignView* take(const QString& file);
    std::vector<CampaignView*> views() const;
    void end(); // all of them, now

private:
    void leave(CampaignView* view); // it is done

    std::map<CampaignView*, std::unique_ptr<QObject>> m_views; // each with the context of what listens to it
};

} // namespace gks
