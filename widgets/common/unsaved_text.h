// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QWidget;

namespace gks {

// What a person typed into one form and the campaign does not hold yet. Every form that can be left half written has
// one as a child; UnsavedKeeper finds them there, keeps their text in a file and brings it back.
class UnsavedText final : public QObject {
    Q_OBJECT

public:
    struct Form {
        // In words for the question that the window asks: "New kernel from 00007"; empty: nothing is typed.
        std::function<QString()> what;
        std::function<QJsonObject()> content;
        // False: not now; asked again with retry(), for example when the form shows what the text belongs to.
        std::function<bool(const QJsonObject&)> restore;
        std::function<void()> discard;
        // What happens when the focus leaves the form: text that is sent then is sent.
        std::function<void()> leave = {};
        // Why the text cannot become a kernel; empty: it can. Without it, it is no kernel.
        std::function<QString()> kernelRefusal = {};
        std::function<void()> saveAsKernel = {};
    };
    struct Text {
        QString key;  // of the form
        QString what; // as Form::what said it
        QJsonObject content;
    };

    UnsavedText(const QString& key, Form form, QWidget* parent);

    // Stands in the form: says that text was brought back, or for what it waits. Hidden otherwise.
    QLabel* notice() const { return m_notice; }
    QString key() const { return m_key; }

    // For the form: something was typed, sent or dropped.
    void touch();
    void retry();

    std::vector<Text> texts() const; // mostly none or one
    void restore(const Text& text);
    bool wasRestored() const { return m_restored || !m_waiting.empty(); }
    void leave();
    void discard();
    bool isKernel() const; // that can be saved as one
    void saveAsKernel();

Q_SIGNALS:
    void changed();

private:
    void showNotice();

    QString m_key;
    Form m_form;
    QLabel* m_notice;
    bool m_restored = false;     // and neither sent nor dropped yet
    std::vector<Text> m_waiting; // brought back, and not in the form yet
};

} // namespace gks
