// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/comparison_table.h"

#include "core/base/counted.h"
#include "core/campaign/ranking.h"
#include "core/judge/code_summary.h"
#include "core/judge/plan/plan_rows.h"
#include "core/problem/problem.h"
#include "core/problem/shape_text.h"
#include "core/rating/shape_scales.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

using NamedShape = std::map<std::string, std::int64_t>;

constexpr std::size_t shownLaunches = 3; // of a plan, in a cell; the page Launch plan has them all

// One kernel of the table with all that is known of it.
struct Column {
    const Kernel* kernel = nullptr;
    ComparedRecord record;
    std::optional<CodeSummary> code;

    const MeasurementFact* on(const NamedShape& shape) const {
        if (!record.verdict) {
            return nullptr;
        }
        const auto& facts = record.verdict->measurements;
        const auto at = std::find_if(facts.begin(), facts.end(), [&](const MeasurementFact& fact) {
            return fact.shape == shape && fact.medianUs > 0;
        });
        return at == facts.end() ? nullptr : &*at;
    }
    // Why nothing at all is known of what a verdict tells.
    std::string withoutVerdict() const {
        return !record.trouble.empty() ? record.trouble
               : record.verdict        ? std::string(name(record.verdict->kind))
                                       : std::string("not evaluated yet");
    }
    std::string withoutTime() const {
        const bool isHere = record.verdict && !record.verdict->measurements.empty();
        return isHere ? "not measured on this shape" : withoutVerdict();
    }
};

std::string shapeName(const NamedShape& shape, const ProblemPack* pack) {
    if (pack == nullptr) {
        return namedShapeText(shape);
    }
    Shape extents;
    for (const std::string& dim : pack->dims) {
        const auto at = shape.find(dim);
        if (at == shape.end()) {
            return namedShapeText(shape); // of an older pack
        }
        extents.push_back(at->second);
    }
    return pack->shapeLabel(extents);
}

ComparedCell absent(std::string why) {
    ComparedCell cell;
    cell.missing = std::move(why);
    return cell;
}

class ComparisonMaker {
public:
    ComparisonMaker(const Population& population, const std::vector<KernelId>& kernels, KernelId reference,
                    const ComparedReader& read, const ProblemPack* pack)
        : m_population(population), m_pack(pack) {
        for (const KernelId id : kernels) {
            const Kernel* kernel = population.kernel(id);
            if (kernel == nullptr || kernel->probe) {
                continue;
            }
            m_table.reference = id == reference ? m_columns.size() : m_table.reference;
            Column column = {kernel, read(id), {}};
            column.code = column.record.verdict ? codeSummary(*column.record.verdict) : std::nullopt;
            m_columns.push_back(std::move(column));
        }
    }

    ComparisonTable make() {
        if (m_columns.empty()) {
            return {};
        }
        for (const Column& column : m_columns) {
            const Kernel& kernel = *column.kernel;
            m_table.kernels.push_back({kernel.id, kernel.title,
                                       std::string(kernel.verdict ? name(*kernel.verdict) : name(kernel.state)),
                                       column.record.verdict ? column.record.verdict->device : std::string(),
                                       kernel.id == m_population.baseline, kernel.id == m_population.best});
        }
        addTimes();
        addCode();
        addInstructions();
        addPlans();
        addNotes();
        return std::move(m_table);
    }

private:
    const Column& reference() const { return m_columns[m_table.reference]; }

    // By the scale of all shapes, or of one; null where nothing was compared.
    void addSpeed(const Column& column, const SpeedScale* scale, ComparedCell& cell) const {
        if (&column == &reference()) {
            return;
        }
        const KernelId id = column.kernel->id;
        const KernelId other = reference().kernel->id;
        const auto ratio = scale != nullptr ? scale->ratio(id, other) : std::nullopt;
        if (ratio) {
            cell.speed = ComparedSpeed{*ratio, scale->directComparisons(id, other)};
        } else {
            cell.notCompared = fmt::format("no paired runs connect it with {}", kernelLabel(other));
        }
    }

    void addTimes() {
        ComparedRow mean = {ComparedGroup::time, meanName(m_population.settings), "us", {}, {}};
        for (const Column& column : m_columns) {
            const Kernel& kernel = *column.kernel;
            ComparedCell cell = absent(kernel.geomeanUs > 0 ? "" : column.withoutVerdict());
            if (kernel.geomeanUs > 0) {
                cell.text = formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us);
                cell.value = kernel.geomeanUs;
                cell.ci95 = kernel.geomeanCi95Us;
            }
            addSpeed(column, m_population.scale.get(), cell);
            mean.cells.push_back(std::move(cell));
        }
        m_table.rows.push_back(std::move(mean));
        for (const NamedShape& shape : measuredShapes()) {
            const SpeedScale* scale = m_population.shapeScales ? m_population.shapeScales->of(shape) : nullptr;
            ComparedRow row = {ComparedGroup::time, shapeName(shape, m_pack), "us", shape, {}};
            for (const Column& column : m_columns) {
                const MeasurementFact* fact = column.on(shape);
                ComparedCell cell = absent(fact != nullptr ? "" : column.withoutTime());
                if (fact != nullptr) {
                    cell.text = formatMicroseconds(fact->medianUs, fact->ci95Us);
                    cell.value = fact->medianUs;
                    cell.ci95 = fact->ci95Us;
                }
                addSpeed(column, scale, cell);
                row.cells.push_back(std::move(cell));
            }
            m_table.rows.push_back(std::move(row));
        }
    }

    // In the order of the verdicts, the reference's first.
    std::vector<NamedShape> measuredShapes() const {
        std::vector<NamedShape> shapes;
        const auto add = [&](const Column& column) {
            for (const MeasurementFact& fact :
                 column.record.verdict ? column.record.verdict->measurements : std::vector<MeasurementFact>()) {
                if (std::find(shapes.begin(), shapes.end(), fact.shape) == shapes.end()) {
                    shapes.push_back(fact.shape);
                }
            }
        };
        add(reference());
        std::for_each(m_columns.begin(), m_columns.end(), add);
        return shapes;
    }

    std::string withoutCode(const Column& column) const {
        const bool isJudged = column.record.trouble.empty() && column.record.verdict;
        return isJudged ? fmt::format("no static report: {}", name(column.record.verdict->kind))
                        : column.withoutVerdict();
    }

    // A row of numbers, with what each has more than the reference's. `find`: nothing where the column has none.
    void addNumbers(ComparedRow row, const std::function<std::optional<CodeFact>(const Column&)>& find,
                    const std::function<std::string(const Column&)>& why) {
        const auto base = find(reference());
        for (const Column& column : m_columns) {
            const auto fact = find(column);
            ComparedCell cell = absent(fact ? "" : why(column));
            if (fact) {
                cell.text = codeFactText(*fact);
                cell.value = static_cast<double>(fact->value);
                cell.delta = base && &column != &reference() ? deltaText(*fact, fact->value - base->value) : "";
            }
            row.cells.push_back(std::move(cell));
        }
        m_table.rows.push_back(std::move(row));
    }

    static std::string deltaText(CodeFact fact, std::int64_t delta) {
        if (delta == 0) {
            return {};
        }
        fact.value = std::abs(delta);
        return (delta > 0 ? "+" : "-") + codeFactText(fact);
    }

    void addCode() {
        std::vector<std::string> names;
        std::map<std::string, CodeUnit> units;
        std::set<std::string> worth;
        for (const Column& column : m_columns) {
            for (const CodeFact& fact : column.code ? column.code->facts : std::vector<CodeFact>()) {
                if (units.emplace(fact.name, fact.unit).second) {
                    names.push_back(fact.name);
                }
                if (!fact.isNothing()) {
                    worth.insert(fact.name);
                }
            }
        }
        for (const std::string& fact : names) {
            if (worth.contains(fact)) {
                addNumbers(
                    {ComparedGroup::code, fact, units[fact] == CodeUnit::bytes ? "bytes" : "", {}, {}},
                    [&](const Column& column) { return codeFactOf(column, fact); },
                    [&](const Column& column) {
                        return column.code ? fmt::format("{} does not tell it", column.code->reader)
                                           : withoutCode(column);
                    });
            }
        }
        if (names.empty()) {
            addEmpty(ComparedGroup::code, "static report", [&](const Column& column) { return withoutCode(column); });
        }
    }

    static std::optional<CodeFact> codeFactOf(const Column& column, const std::string& fact) {
        for (const CodeFact& one : column.code ? column.code->facts : std::vector<CodeFact>()) {
            if (one.name == fact) {
                return one;
            }
        }
        return std::nullopt;
    }

    void addInstructions() {
        std::set<std::string> kinds;
        for (const Column& column : m_columns) {
            for (const auto& [kind, count] : column.code ? column.code->instructions : std::map<std::string, int>()) {
                if (count > 0) {
                    kinds.insert(kind);
                }
            }
        }
        const auto why = [&](const Column& column) {
            return column.code ? fmt::format("{} counts no instructions", column.code->reader) : withoutCode(column);
        };
        for (const std::string& kind : kinds) {
            addNumbers(
                {ComparedGroup::instructions, kind, "", {}, {}},
                [&](const Column& column) -> std::optional<CodeFact> {
                    if (!column.code || column.code->instructions.empty()) {
                        return std::nullopt;
                    }
                    const auto found = column.code->instructions.find(kind);
                    return CodeFact{kind, found == column.code->instructions.end() ? 0 : found->second};
                },
                why);
        }
        if (kinds.empty()) {
            addEmpty(ComparedGroup::instructions, "instructions", why);
        }
    }

    void addEmpty(ComparedGroup group, const char* name, const std::function<std::string(const Column&)>& why) {
        ComparedRow row = {group, name, "", {}, {}};
        for (const Column& column : m_columns) {
            row.cells.push_back(absent(why(column)));
        }
        m_table.rows.push_back(std::move(row));
    }

    static ComparedCell planCell(const ShapePlan& plan) {
        ComparedCell cell;
        std::size_t others = 0;
        for (const PlanOperation& operation : plan.plan.operations) {
            const auto* launch = std::get_if<KernelLaunch>(&operation.action);
            if (launch == nullptr) {
                ++others;
                continue;
            }
            cell.launches.push_back({readableSymbol(launch->kernel), extentText(launch->grid),
                                     extentText(launch->block), launch->dynamicLdsBytes});
        }
        for (std::size_t i = 0; i < std::min(shownLaunches, cell.launches.size()); ++i) {
            const ComparedLaunch& one = cell.launches[i];
            cell.text += fmt::format("{}grid {}, block {}, LDS {}", i > 0 ? "; " : "", one.grid, one.block,
                                     formatBytes(one.dynamicLdsBytes));
        }
        if (cell.launches.size() > shownLaunches) {
            cell.text += fmt::format("; {} more launches", cell.launches.size() - shownLaunches);
        }
        if (others > 0) {
            cell.text += (cell.text.empty() ? "" : "; ") + counted(others, "other operation");
        }
        cell.text = cell.text.empty() ? "nothing" : cell.text;
        return cell;
    }

    void addPlans() {
        std::vector<NamedShape> shapes;
        const auto add = [&](const Column& column) {
            for (const ShapePlan* plan :
                 column.record.plans ? column.record.plans->kernel.timed() : std::vector<const ShapePlan*>()) {
                if (std::find(shapes.begin(), shapes.end(), plan->shape) == shapes.end()) {
                    shapes.push_back(plan->shape);
                }
            }
        };
        add(reference());
        std::for_each(m_columns.begin(), m_columns.end(), add);
        const auto why = [](const Column& column) {
            return !column.record.trouble.empty() || !column.record.verdict ? column.withoutVerdict()
                   : !column.record.planTrouble.empty()                     ? column.record.planTrouble
                   : column.record.plans                                    ? std::string("no plan for this shape")
                                                                            : std::string("without a launch plan");
        };
        for (const NamedShape& shape : shapes) {
            ComparedRow row = {ComparedGroup::plan, shapeName(shape, m_pack), "", shape, {}};
            for (const Column& column : m_columns) {
                const ShapePlan* plan = column.record.plans ? column.record.plans->kernel.timed(shape) : nullptr;
                row.cells.push_back(plan != nullptr ? planCell(*plan) : absent(why(column)));
            }
            m_table.rows.push_back(std::move(row));
        }
        if (shapes.empty()) {
            addEmpty(ComparedGroup::plan, "launch plan", why);
        }
    }

    void addNotes() {
        const std::string id = kernelLabel(reference().kernel->id);
        m_table.notes.push_back(
            fmt::format("A time is a kernel's own, under the load of its evaluation: the ratios to {} are of paired "
                        "runs, which share their load.",
                        id));
        bool hasChain = false;
        bool isOfCpu = false;
        for (const ComparedRow& row : m_table.rows) {
            hasChain = hasChain || std::any_of(row.cells.begin(), row.cells.end(), [](const ComparedCell& cell) {
                           return cell.speed && cell.speed->runs == 0;
                       });
        }
        if (hasChain) {
            m_table.notes.push_back(fmt::format("~: no run measured the kernel beside {}; the ratio is that of a chain "
                                                "of paired runs.",
                                                id));
        }
        std::set<std::string> readers;
        for (const Column& column : m_columns) {
            const auto& verdict = column.record.verdict;
            isOfCpu = isOfCpu || (verdict && verdict->target == "cpu");
            if (column.code) {
                readers.insert(column.code->reader);
            }
            if (verdict && reference().record.verdict && verdict->device != reference().record.verdict->device) {
                m_table.notes.push_back(fmt::format("{} was measured on {}, not on {}.", kernelLabel(column.kernel->id),
                                                    verdict->device, reference().record.verdict->device));
            }
        }
        if (isOfCpu) {
            m_table.notes.emplace_back("CPU timings.");
        }
        if (m_population.settings.judgedByHarness) {
            m_table.notes.emplace_back("Judged by the user's harness.");
        }
        if (!readers.empty() && m_population.settings.target != TargetKind::amd && !readers.contains("ptxas")) {
            m_table.notes.push_back(
                fmt::format("The code is that of {}, whatever measured the kernels.", *readers.begin()));
        }
    }

    const Population& m_population;
    const ProblemPack* m_pack;
    std::vector<Column> m_columns;
    ComparisonTable m_table;
};

} // namespace

ComparisonTable comparisonTable(const Population& population, const std::vector<KernelId>& kernels, KernelId reference,
                                const ComparedReader& read, const ProblemPack* pack) {
    return ComparisonMaker(population, kernels, reference, read, pack).make();
}

} // namespace gks
