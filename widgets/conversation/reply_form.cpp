// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/reply_form.h"

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/scientist/reply.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"

#include <QStringList>
#include <nlohmann/json.hpp>

namespace gks {

namespace {

constexpr int depthLimit = 6;
constexpr qsizetype shortLimit = 120; // characters that stand beside their label

QString scalarText(const OrderedJson& value) {
    switch (value.type()) {
    case OrderedJson::value_t::string:
        return toText(value.get_ref<const std::string&>());
    case OrderedJson::value_t::boolean:
        return value.get<bool>() ? QObject::tr("\u2713 yes") : QObject::tr("\u2717 no");
    case OrderedJson::value_t::number_float:
        return toText(formatSignificant(value.get<double>(), 4));
    case OrderedJson::value_t::null:
        return QStringLiteral("\u2013");
    default:
        return toText(value.dump());
    }
}

QString labelText(const std::string& key) {
    return toText(key).replace(QLatin1Char('_'), QLatin1Char(' '));
}

void write(RichTextWriter& writer, const QString& label, const OrderedJson& value, int depth);

void writeMembers(RichTextWriter& writer, const OrderedJson& object, int depth) {
    for (const auto& [key, value] : object.items()) {
        if (value.is_string() && value.get_ref<const std::string&>().empty()) {
            continue; // a label with nothing behind it
        }
        write(writer, labelText(key), value, depth);
    }
}

void writeList(RichTextWriter& writer, const QString& label, const OrderedJson& list, int depth) {
    QStringList scalars;
    bool flat = true;
    for (const OrderedJson& item : list) {
        flat = flat && item.is_primitive();
        scalars.append(flat ? scalarText(item) : QString());
    }
    if (flat && scalars.join(QStringLiteral(", ")).size() <= shortLimit) {
        writer.labelled(label, scalars.isEmpty() ? QStringLiteral("\u2013") : scalars.join(QStringLiteral(", ")));
        return;
    }
    writer.line(label, true);
    const int before = writer.indent();
    int number = 0;
    for (const OrderedJson& item : list) {
        writer.setIndent(before + 1);
        ++number;
        if (item.is_primitive()) {
            writer.line(QStringLiteral("%1.  %2").arg(number).arg(scalarText(item)));
        } else {
            writer.line(QStringLiteral("%1.").arg(number), true);
            writer.setIndent(before + 2);
            item.is_object() ? writeMembers(writer, item, depth + 1) : write(writer, QString(), item, depth + 1);
        }
    }
    writer.setIndent(before);
}

void write(RichTextWriter& writer, const QString& label, const OrderedJson& value, int depth) {
    if (depth > depthLimit) {
        writer.labelled(label, toText(value.dump()));
    } else if (value.is_object()) {
        writer.line(label, true);
        writer.setIndent(writer.indent() + 1);
        writeMembers(writer, value, depth + 1);
        writer.setIndent(writer.indent() - 1);
    } else if (value.is_array()) {
        writeList(writer, label, value, depth);
    } else {
        const QString text = scalarText(value);
        if (!text.contains(QLatin1Char('\n')) && text.size() <= shortLimit) {
            writer.labelled(label, text);
        } else {
            writer.line(label, true);
            looksLikeCode(text) ? writer.code(text) : writer.prose(text);
        }
    }
}

} // namespace

bool writeReplyForm(RichTextWriter& writer, const std::string& reply) {
    OrderedJson object = OrderedJson::parse(reply, nullptr, false); // keeps the order of the fields
    if (!object.is_object()) {
        const auto found = objectInReply(reply);
        object = found ? OrderedJson(*found) : OrderedJson();
    }
    if (!object.is_object() || object.empty()) {
        writer.prose(toText(reply));
        return false;
    }
    writeMembers(writer, object, 0);
    return true;
}

} // namespace gks
