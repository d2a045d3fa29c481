// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/solved_definition.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t definitionLimitBytes = std::size_t{1} << 20;
constexpr std::size_t definitionNameBytes = 128;

// An import puts '_' behind a name that a pack cannot have.
std::string withoutMarks(std::string name) {
    while (name.ends_with('_')) {
        name.pop_back();
    }
    return name;
}

// By their places, which is how a benchmark passes them; the names of a pack are in lower case.
Result<void> sameTensors(const OrderedJson& definition, const char* key, const ProblemPack& pack, TensorRole role,
                         const std::string& where) {
    const auto listed = definition.find(key);
    if (listed == definition.end() || !listed->is_object()) {
        return usageError(fmt::format("has no object \"{}\"", key), where);
    }
    auto at = listed->begin();
    for (const TensorSpec& tensor : pack.tensors) {
        if (tensor.role != role) {
            continue;
        }
        const std::string next = "Name the Definition of this problem";
        if (at == listed->end() || withoutMarks(lowered(at.key())) != withoutMarks(tensor.name) || !at->is_object()) {
            return usageError(fmt::format("does not have \"{}\" at its place in {}", tensor.name, key), where, next);
        }
        const auto dtype = at->find("dtype");
        const auto shape = at->find("shape");
        const std::string wanted = definitionTypeName(tensor.type);
        if (dtype == at->end() || !dtype->is_string() || dtype->get<std::string>() != wanted || shape == at->end() ||
            !shape->is_array() || shape->size() != tensor.extents.size()) {
            return usageError(fmt::format("has another type or rank of \"{}\" than {} with {} extents", tensor.name,
                                          wanted, tensor.extents.size()),
                              where, next);
        }
        ++at;
    }
    return at == listed->end()
               ? Result<void>()
               : usageError(fmt::format("has further {}", key), where, "Name the Definition of this problem");
}

std::string textAt(const OrderedJson& json, const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool isNumber(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// "64", "=hidden // heads", or nothing for an axis that varies.
Result<std::string> axisSaid(const OrderedJson& axes, const std::string& name, const std::string& where) {
    const auto axis = axes.find(name);
    const std::string type = axis == axes.end() ? std::string() : textAt(*axis, "type");
    if (type == "const" && axis->contains("value") && axis->at("value").is_number_integer()) {
        return fmt::to_string(axis->at("value").get<std::int64_t>());
    }
    if (type == "expr") {
        return "=" + textAt(*axis, "expression");
    }
    if (type == "var" || (axis == axes.end() && isNumber(name))) { // a number is an axis of its own
        return type == "var" ? std::string() : name;
    }
    return usageError(fmt::format("has a shape with the axis {}, which it does not describe", abbreviated(name, 40)),
                      where, "Name the Definition of this problem");
}

// Of every extent of the inputs, then the outputs, what the axis says; one that varies is "#" and the first place where
// it stands.
Result<std::vector<std::string>> extentsSaid(const OrderedJson& definition, const std::string& where) {
    const OrderedJson none = OrderedJson::object();
    const auto objectAt = [&](const OrderedJson& json, const char* key) -> const OrderedJson& {
        const auto at = json.find(key);
        return at != json.end() && at->is_object() ? *at : none;
    };
    std::vector<std::string> said;
    std::map<std::string, std::size_t> firstPlaces;
    for (const char* key : {"inputs", "outputs"}) {
        for (const OrderedJson& tensor : objectAt(definition, key)) {
            const auto shape = tensor.find("shape");
            for (const OrderedJson& extent :
                 shape != tensor.end() && shape->is_array() ? *shape : OrderedJson::array()) {
                const std::string axis = extent.is_string() ? extent.get<std::string>() : extent.dump();
                GKS_TRY_ASSIGN(std::string text, axisSaid(objectAt(definition, "axes"), axis, where));
                if (text.empty()) {
                    text = fmt::format("#{}", firstPlaces.try_emplace(axis, said.size()).first->second);
                }
                said.push_back(std::move(text));
            }
        }
    }
    return said;
}

// An extent of the pack, and its values in the order of all shapes.
struct PackExtent {
    std::string text;
    std::vector<std::int64_t> values;
    bool isFree = false;
};

// In the same order.
Result<std::vector<PackExtent>> extentsOf(const ProblemPack& pack) {
    std::vector<PackExtent> extents;
    for (const TensorRole role : {TensorRole::input, TensorRole::output}) {
        for (const TensorSpec& tensor : pack.tensors) {
            const std::size_t begin = extents.size();
            for (const std::string& text : tensor.role == role ? tensor.extents : std::vector<std::string>()) {
                const auto dim = std::ranges::find(pack.dims, text);
                const bool isFree =
                    dim != pack.dims.end() && pack.isFree[static_cast<std::size_t>(dim - pack.dims.begin())];
                extents.push_back({text, {}, isFree});
            }
            for (const auto& [set, shapes] : pack.shapes) {
                for (const Shape& shape : begin < extents.size() ? shapes : std::vector<Shape>()) {
                    GKS_TRY_ASSIGN(const auto values, pack.extents(tensor, shape));
                    for (std::size_t i = 0; i < values.size(); ++i) {
                        extents[begin + i].values.push_back(values[i]);
                    }
                }
            }
        }
    }
    return extents;
}

bool isAlways(const PackExtent& extent, std::int64_t value) {
    return std::ranges::all_of(extent.values, [&](std::int64_t one) { return one == value; });
}

// The constants are those of the pack. Where no other Definition tells, what varies is what varies there.
Result<void> sameExtents(const std::vector<std::string>& said, const ProblemPack& pack, bool isAllWeKnow,
                         const std::string& where) {
    const std::string next = "Name the Definition of this problem";
    GKS_TRY_ASSIGN(const std::vector<PackExtent> extents, extentsOf(pack));
    if (said.size() != extents.size()) {
        return usageError("has other extents than the problem", where, next);
    }
    for (std::size_t i = 0; i < said.size(); ++i) {
        const PackExtent& extent = extents[i];
        if (isNumber(said[i]) &&
            !std::ranges::all_of(extent.values, [&](auto value) { return fmt::to_string(value) == said[i]; })) {
            return usageError(fmt::format("has the constant {} where the problem has {}", said[i], extent.text), where,
                              next);
        }
        if (!isAllWeKnow || !said[i].starts_with('#')) {
            continue;
        }
        const bool isFixed = !extent.values.empty() && isAlways(extent, extent.values.front());
        if (isFixed && !extent.isFree) {
            return usageError(fmt::format("lets an axis vary where the problem has {} of one extent", extent.text),
                              where, next);
        }
        for (std::size_t other = 0; other < i; ++other) {
            const bool isSame = said[other] == said[i];
            if (isSame ? extents[other].values != extent.values : extents[other].text == extent.text) {
                return usageError(fmt::format("ties axes together in another way than the problem: {} and {}",
                                              extents[other].text, extent.text),
                                  where, next);
            }
        }
    }
    return {};
}

Result<OrderedJson> readDefinition(const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(const std::string text, readFile(file, definitionLimitBytes));
    GKS_TRY(parseJson(text, file.string())); // refuses what is not JSON, or too deep
    OrderedJson definition = OrderedJson::parse(text, nullptr, false);
    const std::string name = definition.is_object() ? textAt(definition, "name") : std::string();
    if (name.empty() || name.size() > definitionNameBytes) {
        return usageError("is no Definition: it has no \"name\"", file.string());
    }
    return definition;
}

} // namespace

std::string definitionTypeName(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return "float8_e4m3fn";
    case ElementType::fp8E5m2:
        return "float8_e5m2";
    case ElementType::f16:
        return "float16";
    case ElementType::bf16:
        return "bfloat16";
    case ElementType::f32:
        return "float32";
    case ElementType::i8:
        return "int8";
    case ElementType::i32:
        return "int32";
    case ElementType::i64:
        return "int64";
    case ElementType::f64:
    case ElementType::u32:
        break;
    }
    return {};
}

Result<SolvedDefinition> solvedDefinition(const ProblemPack& pack, const std::filesystem::path& given) {
    std::error_code ignored;
    const std::filesystem::path ownFile = pack.folder / definitionFile;
    const bool hasOwn = std::filesystem::exists(ownFile, ignored);
    if (given.empty() && !hasOwn) {
        return usageError(fmt::format("the problem {} comes from no Definition of FlashInfer-Bench", pack.name),
                          "export", "Name one that asks for the same: --definition FILE.json");
    }
    const std::filesystem::path file = given.empty() ? ownFile : given;
    const std::string where = file.string();
    GKS_TRY_ASSIGN(const OrderedJson definition, readDefinition(file));
    GKS_TRY(sameTensors(definition, "inputs", pack, TensorRole::input, where));
    GKS_TRY(sameTensors(definition, "outputs", pack, TensorRole::output, where));
    GKS_TRY_ASSIGN(const std::vector<std::string> said, extentsSaid(definition, where));
    GKS_TRY(sameExtents(said, pack, !hasOwn, where));
    SolvedDefinition solved = {textAt(definition, "name"), given.empty()};
    if (hasOwn && !given.empty()) {
        GKS_TRY_ASSIGN(const OrderedJson own, readDefinition(ownFile));
        GKS_TRY_ASSIGN(const std::vector<std::string> ownSaid, extentsSaid(own, ownFile.string()));
        const std::string reference(trimmed(textAt(definition, "reference")));
        const std::string ownReference(trimmed(textAt(own, "reference")));
        solved.isCompared = !reference.empty() && !ownReference.empty();
        if (said != ownSaid || (solved.isCompared && reference != ownReference)) {
            return usageError(fmt::format("has {} than the Definition that the problem was made from",
                                          said != ownSaid ? "other axes" : "another reference"),
                              where, "Name that Definition, or leave --definition out");
        }
    }
    return solved;
}

} // namespace gks
