// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/manifest.h"

#include "core/problem/anchor_tables.h"
#include "core/problem/element_codec.h"
#include "core/problem/expression.h"
#include "core/problem/toml_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t dimLimit = 8;
constexpr std::size_t tensorLimit = 16;
constexpr std::size_t shapesPerSetLimit = 64;
constexpr std::array allSets = {ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::heldOut, ShapeSet::cpu};

// That clang and nvcc have.
const std::vector<std::pair<std::string_view, std::string>> languages = {
    {"c++17", "c++17"}, {"c++20", "c++20"}, {"c++23", "c++23"}};

// One problem.toml while it is read.
class ManifestReader : TomlFields {
public:
    ManifestReader(const fs::path& file, const toml::table& root) : TomlFields(file), m_file(file), m_root(root) {}

    Result<void> read(ProblemPack& pack) const {
        GKS_TRY(hasNoPolicy());
        GKS_TRY(onlyKeys(
            m_root, "",
            {"name", "title", "dims", "tensor", "tolerance", "cost", "shapes", "precision", "anchor", "language"}));
        GKS_TRY_ASSIGN(pack.name, text(m_root, "name"));
        GKS_TRY_ASSIGN(pack.title, text(m_root, "title"));
        GKS_TRY(readDims(pack));
        GKS_TRY(readTensors(pack));
        GKS_TRY(readTolerance(pack));
        GKS_TRY(readPrecision(pack));
        if (m_root.contains("language")) {
            GKS_TRY_ASSIGN(pack.language, oneOf<std::string>(m_root, "language", languages));
        }
        GKS_TRY(readShapes(pack));
        GKS_TRY(readCost(pack));
        GKS_TRY_ASSIGN(pack.anchors, readAnchorTables(m_file, m_root));
        return dimsAreUsed(pack);
    }

private:
    // Dims and tensors become members of struct Problem in the candidate's header.
    Result<void> isMemberName(const toml::node& at, const std::string& name, std::set<std::string>& taken) const {
        static const std::set<std::string> reserved = {
            "asm",    "auto",  "bool",   "break",  "case",   "char",   "class",  "const",  "default", "delete", "do",
            "double", "else",  "enum",   "for",    "float",  "goto",   "if",     "inline", "int",     "long",   "new",
            "not",    "or",    "and",    "short",  "sin",    "cos",    "min",    "max",    "abs",     "sum",    "avg",
            "exp",    "log",   "sqrt",   "ceil",   "floor",  "rint",   "sign",   "this",   "try",     "union",  "void",
            "while",  "using", "struct", "switch", "static", "return", "signed", "xor"};
        const bool wellFormed = !name.empty() && name.size() <= 32 && name.front() >= 'a' && name.front() <= 'z' &&
                                name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
        if (!wellFormed || reserved.contains(name)) {
            return refuse(at, fmt::format("invalid name \"{}\": use up to 32 lower-case letters, digits and _, and no "
                                          "C++ or expression keyword",
                                          name));
        }
        if (!taken.insert(name).second) {
            return refuse(at, fmt::format("duplicate \"{}\"", name));
        }
        return {};
    }

    Result<void> readDims(ProblemPack& pack) const {
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(m_root, "dims"));
        GKS_TRY_ASSIGN(pack.dims, texts(*array, "an element of \"dims\""));
        if (pack.dims.size() > dimLimit) {
            return refuse(*array, fmt::format("more than {} dims", dimLimit));
        }
        std::set<std::string> taken;
        for (std::size_t i = 0; i < pack.dims.size(); ++i) {
            GKS_TRY(isMemberName(*array->get(i), pack.dims[i], taken));
        }
        return {};
    }

    Result<void> readRange(const toml::table& table, TensorSpec& tensor) const {
        constexpr double most = 1e6;
        for (const auto& [key, value] : {std::pair("scale", &tensor.scale), std::pair("offset", &tensor.offset)}) {
            const toml::node* const node = table.get(key);
            if (node == nullptr) {
                continue;
            }
            const bool isDrawn = tensor.role == TensorRole::input && !isInteger(tensor.type) &&
                                 (tensor.fill == Fill::normal || tensor.fill == Fill::uniform);
            if (!isDrawn) {
                return refuse(*node,
                              fmt::format("\"{}\" is of inputs that are drawn, of a type of floating point", key));
            }
            *value = node->value<double>().value_or(std::numeric_limits<double>::quiet_NaN());
            if (!(std::abs(*value) <= most) || (value == &tensor.scale && *value == 0)) {
                return refuse(*node, fmt::format("\"{}\" must be a number up to {}{}", key, most,
                                                 value == &tensor.scale ? ", and not 0" : ""));
            }
        }
        return {};
    }

    Result<TensorSpec> readTensor(const toml::table& table) const {
        static const std::vector<std::pair<std::string_view, ElementType>> types = [] {
            std::vector<std::pair<std::string_view, ElementType>> result;
            for (int i = 0; i <= static_cast<int>(ElementType::i64); ++i) {
                result.emplace_back(gks::name(static_cast<ElementType>(i)), static_cast<ElementType>(i));
            }
            return result;
        }();
        GKS_TRY(onlyKeys(table, "a tensor", {"name", "type", "shape", "role", "fill", "scale", "offset"}));
        TensorSpec tensor;
        GKS_TRY_ASSIGN(tensor.name, text(table, "name"));
        GKS_TRY_ASSIGN(tensor.type, oneOf<ElementType>(table, "type", types));
        GKS_TRY_ASSIGN(tensor.role, oneOf<TensorRole>(table, "role",
                                                      {{"input", TensorRole::input}, {"output", TensorRole::output}}));
        if (table.contains("fill")) {
            if (tensor.role == TensorRole::output) {
                return refuse(*table.get("fill"), "outputs must not set fill");
            }
            GKS_TRY_ASSIGN(tensor.fill, oneOf<Fill>(table, "fill",
                                                    {{"normal", Fill::normal},
                                                     {"uniform", Fill::uniform},
                                                     {"zeros", Fill::zeros},
                                                     {"ones", Fill::ones}}));
        }
        GKS_TRY(readRange(table, tensor));
        GKS_TRY_ASSIGN(const toml::array* extents, arrayAt(table, "shape"));
        GKS_TRY_ASSIGN(tensor.extents, texts(*extents, "an extent"));
        return tensor;
    }

    Result<void> readTensors(ProblemPack& pack) const {
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(m_root, "tensor"));
        if (array->size() > tensorLimit) {
            return refuse(*array, fmt::format("more than {} tensors", tensorLimit));
        }
        std::set<std::string> taken(pack.dims.begin(), pack.dims.end());
        for (const toml::node& node : *array) {
            const toml::table* table = node.as_table();
            if (table == nullptr) {
                return refuse(node, "\"tensor\" must be an array of tables, [[tensor]]");
            }
            GKS_TRY_ASSIGN(TensorSpec tensor, readTensor(*table));
            GKS_TRY(isMemberName(*table->get("name"), tensor.name, taken));
            pack.tensors.push_back(std::move(tensor));
        }
        for (const TensorRole role : {TensorRole::input, TensorRole::output}) {
            if (std::none_of(pack.tensors.begin(), pack.tensors.end(),
                             [&](const auto& tensor) { return tensor.role == role; })) {
                return refuse(*array,
                              fmt::format("no tensor is an {}", role == TensorRole::input ? "input" : "output"));
            }
        }
        return {};
    }

    Result<void> readTolerance(ProblemPack& pack) const {
        GKS_TRY_ASSIGN(const toml::table* table, tableAt(m_root, "tolerance"));
        GKS_TRY(onlyKeys(*table, "[tolerance]", {"relative", "absolute", "of_magnitude"}));
        const auto number = [&](std::string_view key) -> Result<double> {
            GKS_TRY_ASSIGN(const toml::node* node, required(*table, key));
            const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
            if (!value || !(*value >= 0 && *value < 1)) {
                return refuse(*node, fmt::format("\"{}\" must be a number from 0 to below 1", key));
            }
            return *value;
        };
        GKS_TRY_ASSIGN(pack.tolerance.relative, number("relative"));
        GKS_TRY_ASSIGN(pack.tolerance.absolute, number("absolute"));
        if (table->contains("of_magnitude")) {
            GKS_TRY_ASSIGN(pack.tolerance.ofMagnitude, number("of_magnitude"));
        }
        return {};
    }

    // Packs named libraries here that a kernel might be linked to.
    Result<void> hasNoPolicy() const {
        if (const toml::node* policy = m_root.get("policy")) {
            return refuse(*policy, "[policy] is no longer part of a pack: device code reaches no library and host code "
                                   "only asks for launches; remove the table");
        }
        return {};
    }

    Result<void> readPrecision(ProblemPack& pack) const {
        if (!m_root.contains("precision")) {
            return {};
        }
        GKS_TRY_ASSIGN(const toml::table* table, tableAt(m_root, "precision"));
        GKS_TRY(onlyKeys(*table, "[precision]", {"multiply"}));
        GKS_TRY_ASSIGN(const std::string multiply, text(*table, "multiply"));
        for (int i = 0; i <= static_cast<int>(lastElementType); ++i) {
            const auto type = static_cast<ElementType>(i);
            if (!multiply.empty() && arithmeticName(type) == multiply) {
                pack.declaredMultiply = type;
                return {};
            }
        }
        return refuse(*table->get("multiply"), "\"multiply\" must be fp8, bf8, bf16, f16, f32 or f64");
    }

    Result<Shape> readShape(const ProblemPack& pack, const toml::node& node) const {
        const toml::array* array = node.as_array();
        if (array == nullptr || array->size() != pack.dims.size()) {
            return refuse(node, fmt::format("a shape must be an array of {} whole numbers [{}]", pack.dims.size(),
                                            fmt::join(pack.dims, ", ")));
        }
        Shape shape;
        for (const toml::node& element : *array) {
            const auto* value = element.as_integer();
            if (value == nullptr || value->get() < 1 || value->get() > std::numeric_limits<std::int32_t>::max()) {
                return refuse(element, "a dim must be a whole number from 1 to 2147483647");
            }
            shape.push_back(value->get());
        }
        for (const TensorSpec& tensor : pack.tensors) {
            if (const auto count = pack.elementCount(tensor, shape); !count) {
                return refuse(node, fmt::format("shape {}, tensor {}: {}", pack.shapeLabel(shape), tensor.name,
                                                count.error().what));
            }
        }
        return shape;
    }

    // The extents are tried on the first shape alone first, so that an expression that can never work is reported where
    // it stands.
    Result<void> extentsAreWellFormed(const ProblemPack& pack) const {
        NamedValues ones;
        for (const std::string& dim : pack.dims) {
            ones.emplace(dim, 1);
        }
        const toml::array& tensors = *m_root.get_as<toml::array>("tensor");
        for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
            const toml::array& extents = *tensors.get(i)->as_table()->get_as<toml::array>("shape");
            for (std::size_t j = 0; j < extents.size(); ++j) {
                if (const auto value = evaluateExpression(pack.tensors[i].extents[j], ones); !value) {
                    return refuse(*extents.get(j), value.error().what);
                }
            }
        }
        return {};
    }

    Result<void> readShapes(ProblemPack& pack) const {
        GKS_TRY(extentsAreWellFormed(pack));
        GKS_TRY_ASSIGN(const toml::table* table, tableAt(m_root, "shapes"));
        GKS_TRY(onlyKeys(*table, "[shapes]", {"test", "benchmark", "quick", "held_out", "cpu", "combine", "free"}));
        if (const toml::node* combine = table->get("combine")) {
            if (!combine->is_boolean()) {
                return refuse(*combine, "\"combine\" must be true or false");
            }
            pack.combinesExtents = combine->as_boolean()->get();
        }
        pack.isFree.assign(pack.dims.size(), false);
        if (const toml::node* names = table->get("free")) {
            GKS_TRY(readFreeDims(pack, *names));
        }
        for (const ShapeSet set : allSets) {
            GKS_TRY_ASSIGN(const toml::array* array, arrayAt(*table, gks::name(set)));
            if (array->size() > shapesPerSetLimit) {
                return refuse(*array, fmt::format("more than {} shapes", shapesPerSetLimit));
            }
            for (const toml::node& node : *array) {
                GKS_TRY_ASSIGN(const Shape shape, readShape(pack, node));
                GKS_TRY(fitsTheSet(pack, set, shape, node));
                pack.shapes[set].push_back(shape);
            }
        }
        return {};
    }

    Result<void> readFreeDims(ProblemPack& pack, const toml::node& names) const {
        const toml::array* array = names.as_array();
        if (array == nullptr || !pack.combinesExtents) {
            return refuse(names, "\"free\" must be an array of dims, and needs combine = true");
        }
        for (const toml::node& node : *array) {
            const auto at = std::find(pack.dims.begin(), pack.dims.end(), node.value_or(std::string()));
            if (at == pack.dims.end()) {
                return refuse(node, fmt::format("not one of the dims {}", fmt::join(pack.dims, ", ")));
            }
            pack.isFree[static_cast<std::size_t>(at - pack.dims.begin())] = true;
        }
        return {};
    }

    Result<void> fitsTheSet(const ProblemPack& pack, ShapeSet set, const Shape& shape, const toml::node& at) const {
        const auto has = [&](ShapeSet other) {
            const auto& shapes = pack.shapesOf(other);
            return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
        };
        if (has(set)) {
            return refuse(at, fmt::format("duplicate shape {}", pack.shapeLabel(shape)));
        }
        if (set == ShapeSet::quick && !has(ShapeSet::benchmark)) {
            return refuse(at, fmt::format("quick shape {} is not a benchmark shape", pack.shapeLabel(shape)));
        }
        if (set == ShapeSet::heldOut && (has(ShapeSet::test) || has(ShapeSet::benchmark))) {
            return refuse(at, fmt::format("held-out shape {} also appears in another set", pack.shapeLabel(shape)));
        }
        return {};
    }

    Result<void> readCost(ProblemPack& pack) const {
        GKS_TRY_ASSIGN(const toml::table* table, tableAt(m_root, "cost"));
        GKS_TRY(onlyKeys(*table, "[cost]", {"flops", "bytes"}));
        for (const auto& [key, expression] :
             {std::pair("flops", &pack.flopsExpression), std::pair("bytes", &pack.bytesExpression)}) {
            GKS_TRY_ASSIGN(*expression, text(*table, key));
            for (const auto& [set, shapes] : pack.shapes) {
                for (const Shape& shape : shapes) {
                    const auto value = evaluateExpression(*expression, pack.namedShape(shape));
                    if (!value || *value <= 0) {
                        return refuse(*table->get(key),
                                      value ? fmt::format("\"{}\" is not positive for {}", key, pack.shapeLabel(shape))
                                            : value.error().what);
                    }
                }
            }
        }
        return {};
    }

    // A dim that changes no tensor would be a shape parameter that nothing depends on: a slip of the pack's author.
    Result<void> dimsAreUsed(const ProblemPack& pack) const {
        const Shape& shape = pack.shapesOf(ShapeSet::test).front();
        for (std::size_t i = 0; i < pack.dims.size(); ++i) {
            auto changed = pack.namedShape(shape);
            changed[pack.dims[i]] *= 2;
            const bool used = std::any_of(pack.tensors.begin(), pack.tensors.end(), [&](const TensorSpec& tensor) {
                return std::any_of(tensor.extents.begin(), tensor.extents.end(), [&](const std::string& extent) {
                    return evaluateExpression(extent, changed).value_or(0) !=
                           evaluateExpression(extent, pack.namedShape(shape)).value_or(0);
                });
            });
            if (!used) {
                return refuse(*m_root.get("dims")->as_array()->get(i),
                              fmt::format("dim \"{}\" is in no tensor's shape", pack.dims[i]));
            }
        }
        return {};
    }

    const fs::path& m_file;
    const toml::table& m_root;
};

} // namespace

Result<void> readManifest(const fs::path& file, const std::string& content, ProblemPack& pack) {
    try {
        const toml::table root = toml::parse(content, file.string());
        return ManifestReader(file, root).read(pack);
    } catch (const toml::parse_error& error) {
        return usageError(std::string(error.description()),
                          fmt::format("{}:{}", file.string(), error.source().begin.line));
    }
}

} // namespace gks
