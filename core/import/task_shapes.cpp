// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/task_shapes.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t taskShapeLimit = 200;

} // namespace

Result<std::vector<AxisValues>> taskShapes(const OrderedJson& task, const char* key,
                                           const std::vector<ProblemAxis>& axes, std::string_view where) {
    const auto refuse = [&](std::string what) {
        return usageError(std::move(what), std::string(where), "Write the problem pack by hand");
    };
    std::vector<AxisValues> shapes;
    const auto list = task.find(key);
    if (list == task.end() || list->is_null()) {
        return shapes;
    }
    if (!list->is_array() || list->size() > taskShapeLimit) {
        return refuse(fmt::format("has \"{}\" that are no list of at most {} shapes", key, taskShapeLimit));
    }
    for (const OrderedJson& one : *list) {
        AxisValues values;
        for (const ProblemAxis& axis : axes) {
            if (axis.constant || axis.derived) {
                continue;
            }
            const auto value = one.is_object() ? one.find(axis.name) : one.end();
            if (!one.is_object() || value == one.end() || !value->is_number_integer() ||
                value->get<std::int64_t>() < 1 || value->get<std::int64_t>() > importedExtentLimit) {
                return refuse(
                    fmt::format("has a shape in \"{}\" in which {} is no extent", key, abbreviated(axis.name, 40)));
            }
            values[axis.name] = value->get<std::int64_t>();
        }
        shapes.push_back(std::move(values));
    }
    return shapes;
}

std::string taskTitle(const OrderedJson& task) {
    if (!task.contains("description") || !task["description"].is_string()) {
        return {};
    }
    const std::string text = task["description"].get<std::string>();
    return std::string(trimmed(text.substr(0, text.find('\n'))));
}

} // namespace gks
