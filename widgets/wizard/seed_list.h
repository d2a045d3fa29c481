// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

class QComboBox;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace gks {

struct NewCampaign;

// The kernels that a campaign begins with: those of the pack that are ticked, and files of one's own; and which of them
// is the baseline.
class SeedList final : public QWidget {
    Q_OBJECT

public:
    struct Seed {
        QString name;
        QString title;
    };
    using AskFiles = std::function<QStringList(QWidget*)>;

    explicit SeedList(AskFiles askFiles, QWidget* parent = nullptr);

    void setSeeds(const std::vector<Seed>& seeds); // of the pack; files of one's own stay
    void addKernels(const QStringList& files);
    void write(NewCampaign& wanted) const;
    bool isEmpty() const; // nothing is ticked
    QWidget* list() const;
    QComboBox* baseline() const { return m_baseline; }

Q_SIGNALS:
    void edited();

private:
    void addItem(const QString& text, const QString& name, bool isOwn);
    void removeSelected();
    void updateBaseline();

    AskFiles m_askFiles;
    QListWidget* m_list;
    QPushButton* m_add;
    QPushButton* m_remove;
    QComboBox* m_baseline;
};

} // namespace gks
