// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace gks {

class RichTextView;

// One document: its title, whether prompts may use it, what of it matters (the digest), and its passages. What was
// typed is sent when the field is left, or with the button.
class DocumentPage final : public QWidget {
    Q_OBJECT

public:
    explicit DocumentPage(QWidget* parent = nullptr);

    void showDocument(const Document& document, bool writable);
    void showPassages(const std::vector<Passage>& passages);
    std::int64_t document() const { return m_document.id; }
    void commit();
    void setDigesting(bool busy);
    void takeDigest(const QString& digest); // a model's; sent as if it were typed
    // What is typed and not sent, in words and as fields; put back over the document that it belongs to. False: that
    // one is not shown.
    QString unsent() const;
    QJsonObject unsentFields() const;
    bool restore(const QJsonObject& fields);
    void drop();

Q_SIGNALS:
    void typed(); // or sent, or dropped
    void edited(const gks::command::EditDocument& edit);
    void removed(std::int64_t document);
    void digestWanted(const gks::Document& document);
    void digestUnwanted(); // the one that is being made

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();

    Document m_document;
    QLineEdit* m_title;
    QCheckBox* m_enabled;
    QLabel* m_facts;
    QPlainTextEdit* m_digest;
    QPushButton* m_make;
    QPushButton* m_save;
    QPushButton* m_remove;
    RichTextView* m_passages;
    bool m_writable = false;
    bool m_digesting = false;
    bool m_dirty = false;
    bool m_filling = false;
};

} // namespace gks
