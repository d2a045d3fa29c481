// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <filesystem>
#include <string>

namespace gks {

class UnsavedText;

// Keeps what is half written in the forms of one campaign, so that neither a kill nor a signal takes it: a moment after
// the last key it is in a file of stateFolder()/unsaved. A campaign that is opened again gets it back. The file belongs
// to the campaign under one name; when the campaign was moved, it is found by the campaign's identity.
class UnsavedKeeper final : public QObject {
    Q_OBJECT

public:
    // Of all forms below `root`. Without an identity nothing is kept beyond this object.
    UnsavedKeeper(const std::string& identity, const QString& file, QObject* root);
    ~UnsavedKeeper() override; // writes what is there, and waits for it

    // The forms that got their text back, in no order.
    QList<UnsavedText*> restored() const;

    // What would be lost now. Text that is sent when the focus leaves its form is sent first.
    QStringList texts();
    bool holdsKernel() const; // among that is one that can be saved as a new kernel
    void saveKernels();
    void discard();

Q_SIGNALS:
    void notKept(const gks::Error& error); // once, until it can be written again

private:
    void restore();
    void write();
    void noteWritten(const Result<void>& written);

    std::filesystem::path m_store; // empty: none
    QString m_file;
    QList<UnsavedText*> m_forms;
    QTimer m_pause;      // of the typing
    QThreadPool m_pool;  // one thread: the newest text is written last
    QByteArray m_stored; // as the file has it, or was to have it
    bool m_failed = false;
};

} // namespace gks
