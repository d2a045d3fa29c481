// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/shape_choice.h"

#include <algorithm>
#include <optional>

namespace gks {
namespace {

constexpr std::size_t mostGivenShapes = 24; // of a set
constexpr std::size_t mostCpuShapes = 4;
constexpr std::size_t mostHeldOutShapes = 3;

struct Cost {
    double flops = 0;
    double elements = 0;
    bool isWithin(const Cost& limit) const { return flops <= limit.flops && elements <= limit.elements; }
};
constexpr Cost checkedInFull = {2e9, 3e7};
constexpr Cost timedOnACard = {2e13, 2e9};
constexpr Cost guessedForACard = {2e11, 2e8};
constexpr Cost runOnAProcessor = {2e8, 4e6};

class ShapeChoice {
public:
    ShapeChoice(const PackDraft& draft, const ProblemPack& pack, std::string_view where)
        : m_draft(draft), m_pack(pack), m_where(where) {
        for (const ProblemAxis& axis : draft.axes) {
            m_axes[axis.name] = &axis;
        }
    }

    ChosenShapes choose() const {
        ChosenShapes chosen;
        chosen.combine = !areRelated();
        const std::vector<Shape> tests = given(m_draft.tests);
        const std::vector<Shape> benchmarks = given(m_draft.benchmarks);
        chosen.test = m_draft.isFree ? guesses({1, 17, 64, 200, 1000}, checkedInFull) : std::vector<Shape>();
        add(chosen.test, affordable(tests.empty() ? benchmarks : tests, checkedInFull, chosen.leftOut));
        add(chosen.benchmark, affordable(benchmarks.empty() ? tests : benchmarks, timedOnACard, chosen.leftOut));
        if (chosen.benchmark.empty()) {
            chosen.benchmark = guesses({128, 512, 2048, 8192}, guessedForACard);
        }
        if (m_draft.isFree) {
            chosen.cpu = guesses({4, 31, 128, 256}, runOnAProcessor);
            if (chosen.combine) {
                addFreeDims(chosen);
            }
            chosen.heldOut = guesses({5, 77, 333}, checkedInFull);
            std::erase_if(chosen.heldOut, [&](const Shape& shape) {
                return std::ranges::find(chosen.test, shape) != chosen.test.end() ||
                       std::ranges::find(chosen.benchmark, shape) != chosen.benchmark.end();
            });
        } else {
            std::vector<Shape> all = tests;
            add(all, benchmarks);
            std::size_t ignored = 0;
            chosen.cpu = affordable(all, runOnAProcessor, ignored);
            chosen.cpu.resize(std::min(chosen.cpu.size(), mostCpuShapes));
            holdOut(chosen);
        }
        return chosen;
    }

private:
    static void add(std::vector<Shape>& to, const std::vector<Shape>& shapes) {
        for (const Shape& shape : shapes) {
            if (std::ranges::find(to, shape) == to.end()) {
                to.push_back(shape);
            }
        }
    }

    Cost costOf(const Shape& shape) const {
        Cost cost;
        for (const TensorSpec& tensor : m_pack.tensors) {
            const auto count = m_pack.elementCount(tensor, shape);
            cost.elements += static_cast<double>(count.value_or(tensorElementLimit));
        }
        cost.flops = m_pack.flops(shape).value_or(timedOnACard.flops * 2);
        return cost;
    }

    // The values of all dims, where those of the free axes are given; nothing where they do not go together.
    std::optional<Shape> shapeOf(const AxisValues& given) const {
        AxisValues values = given;
        for (const ProblemAxis& axis : m_draft.axes) {
            if (axis.constant) {
                values[axis.name] = *axis.constant;
            }
        }
        Shape shape;
        for (const std::string& name : m_draft.dims) {
            const ProblemAxis& axis = *m_axes.at(name);
            if (axis.derived) {
                const auto value = wholeValue(*axis.derived, values, m_where);
                shape.push_back(value.value_or(0));
            } else {
                const auto found = values.find(name);
                shape.push_back(found == values.end() ? 0 : found->second);
            }
            if (shape.back() < 1 || shape.back() > importedExtentLimit) {
                return std::nullopt;
            }
        }
        return shape;
    }

    std::vector<Shape> given(const std::vector<AxisValues>& all) const {
        std::vector<Shape> shapes;
        for (const AxisValues& values : all) {
            if (const auto shape = shapeOf(values)) {
                add(shapes, {*shape});
            }
        }
        return shapes;
    }

    bool isHeldOut(const ChosenShapes& chosen, const Shape& shape) const {
        return std::ranges::find(chosen.test, shape) == chosen.test.end() &&
               std::ranges::find(chosen.benchmark, shape) == chosen.benchmark.end() &&
               costOf(shape).isWithin(checkedInFull);
    }

    // Where nobody says what else may be: extents of two shapes put together, or one of the tests.
    void holdOut(ChosenShapes& chosen) const {
        std::vector<Shape> named = chosen.test;
        add(named, chosen.benchmark);
        for (std::size_t dim = 0; chosen.combine && dim < m_draft.dims.size(); ++dim) {
            for (std::size_t i = 0; i < chosen.test.size() && chosen.heldOut.size() < mostHeldOutShapes; ++i) {
                Shape shape = chosen.test[i];
                shape[dim] = named[(i + 1) % named.size()][dim];
                if (isHeldOut(chosen, shape)) {
                    add(chosen.heldOut, {shape});
                }
            }
        }
        for (std::size_t i = chosen.test.size(); chosen.heldOut.empty() && chosen.test.size() > 1 && i-- > 0;) {
            const Shape shape = chosen.test[i];
            if (std::ranges::find(chosen.benchmark, shape) == chosen.benchmark.end()) {
                chosen.heldOut.push_back(shape);
                std::erase(chosen.test, shape);
                if (chosen.cpu.size() > 1) {
                    std::erase(chosen.cpu, shape); // what is timed is shown
                }
            }
        }
    }

    // In their order; the cheapest where none is.
    std::vector<Shape> affordable(const std::vector<Shape>& shapes, const Cost& limit, std::size_t& leftOut) const {
        std::vector<Shape> found;
        for (const Shape& shape : shapes) {
            if (found.size() < mostGivenShapes && costOf(shape).isWithin(limit)) {
                found.push_back(shape);
            }
        }
        leftOut += shapes.size() - found.size();
        if (found.empty() && !shapes.empty()) {
            found.push_back(
                *std::ranges::min_element(shapes, {}, [&](const Shape& shape) { return costOf(shape).elements; }));
        }
        return found;
    }

    // The variable axes by turns larger and smaller, as long as they are affordable.
    std::vector<Shape> guesses(const std::vector<std::int64_t>& sizes, const Cost& limit) const {
        std::vector<Shape> found;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            AxisValues values;
            std::size_t turn = i;
            for (const ProblemAxis& axis : m_draft.axes) {
                if (!axis.constant && !axis.derived) {
                    values[axis.name] = sizes[turn++ % sizes.size()];
                }
            }
            const auto shape = shapeOf(values);
            if (shape && (costOf(*shape).isWithin(limit) || found.empty())) {
                add(found, {*shape});
            }
        }
        return found;
    }

    // Where two dims come from the same axis, not every two extents go together.
    bool areRelated() const {
        std::map<std::string, int> uses;
        for (const std::string& name : m_draft.dims) {
            const ProblemAxis& axis = *m_axes.at(name);
            std::set<std::string> names = {name};
            if (axis.derived) {
                names.clear();
                namesIn(*axis.derived, names);
            }
            for (const std::string& one : names) {
                const auto found = m_axes.find(one);
                if (found != m_axes.end() && !found->second->constant && ++uses[one] > 1) {
                    return true;
                }
            }
        }
        return false;
    }

    void addFreeDims(ChosenShapes& chosen) const {
        for (const std::string& name : m_draft.dims) {
            if (!m_axes.at(name)->constant) {
                chosen.freeDims.push_back(m_axes.at(name)->dim);
            }
        }
    }

    const PackDraft& m_draft;
    const ProblemPack& m_pack;
    std::string_view m_where;
    std::map<std::string, const ProblemAxis*> m_axes;
};

} // namespace

ChosenShapes chooseShapes(const PackDraft& draft, const ProblemPack& pack, std::string_view where) {
    return ShapeChoice(draft, pack, where).choose();
}

} // namespace gks
