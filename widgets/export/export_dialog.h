// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/export_forms.h"
#include "widgets/common/latest_work.h"

#include <QDialog>
#include <memory>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace gks {

class MessageLabel;

// A kernel into other people's code: the form, where it goes, which files that are, and the claim that they carry. What
// is read, written and compiled is on a worker thread. Closing it ends a check.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    ExportDialog(const QString& campaign, KernelId kernel, QWidget* parent);

    bool isBusy() const;

Q_SIGNALS:
    void exported(bool good); // everything that was asked for

private:
    using KernelPtr = std::shared_ptr<const ExportedKernel>;
    struct Outcome {
        bool isWritten = false;
        bool isGood = false;
        QString text;
    };

    void addForm(QFormLayout* form);
    QWidget* pathRow(QLineEdit* field, const char* button, const QString& title, bool isFile);
    void showRows();
    void read();
    void suggestFolder();
    ExportOptions options() const;
    QString missing() const; // what has to be filled in before anything can be said
    void preview();
    void showClaim();
    void write();
    static Outcome carryOut(const ExportedKernel& kernel, const ExportOptions& options,
                            const std::filesystem::path& folder, bool check, const std::stop_token& stop);
    void showOutcome(const QString& text, bool good);
    void grow(); // with its texts

    QString m_campaign;
    KernelId m_id;
    KernelPtr m_kernel;
    bool m_isOwnFolder = false; // the person's, no suggestion
    QWidget* m_fields;
    QFormLayout* m_rows;
    QComboBox* m_form;
    QLineEdit* m_folder;
    QLineEdit* m_tree;
    QLineEdit* m_path;
    QLineEdit* m_definition;
    QLineEdit* m_hardware;
    QWidget* m_treeRow;
    QWidget* m_definitionRow;
    QCheckBox* m_between;
    QCheckBox* m_check;
    MessageLabel* m_claim;
    QListWidget* m_files;
    MessageLabel* m_open;
    MessageLabel* m_outcome;
    MessageLabel* m_error;
    QPushButton* m_export;
    LatestWork<Result<KernelPtr>> m_reading;
    LatestWork<Result<BundleFiles>> m_previewing;
    LatestWork<Outcome> m_writing;
};

} // namespace gks
