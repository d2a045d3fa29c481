// SPDX-License-Identifier: GPL-3.0-or-later
// How long the lineage takes with many kernels: filling, one more kernel, a repaint of the canvas at each level of
// detail, and the outline: built (beside the window), and its rows given to the window.
#include "tests/support/gui_test.h"
#include "widgets/common/selection_context.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_model.h"
#include "widgets/lineage/lineage_view.h"
#include "widgets/lineage/outline_model.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <cstdio>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

using namespace gks;

namespace {

std::shared_ptr<Population> populationOf(KernelId count) {
    auto population = std::make_shared<Population>();
    for (KernelId id = 1; id <= count; ++id) {
        Kernel kernel;
        kernel.id = id;
        if (id > 3) {
            kernel.parents = {1 + (id * 7919) % (id - 1)};
        }
        kernel.title = "tile and prefetch";
        kernel.state = KernelState::evaluated;
        kernel.verdict = static_cast<VerdictKind>(id % 8);
        kernel.geomeanUs = 100.0 + static_cast<double>(id % 300);
        const double ratio = 400.0 / kernel.geomeanUs;
        population->speeds.set(id, {ratio, {ratio, ratio}, {ratio, ratio}});
        population->kernels.push_back(std::move(kernel));
    }
    population->best = count;
    return population;
}

template<class F>
double milliseconds(F&& work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const GuiTest pinned;
    std::printf("%8s %10s %10s %10s %10s %10s %10s %10s %10s\n", "kernels", "model ms", "canvas ms", "+1 ms", "near ms",
                "middle ms", "far ms", "outline ms", "rows ms");
    for (const KernelId count : {100, 1'000, 10'000, 100'000}) {
        const auto population = populationOf(count);
        const auto grown = populationOf(count + 1);
        LineageModel model;
        const double filled = milliseconds([&] { model.setPopulation(population); });
        SelectionContext selection;
        LineageView view(&selection);
        view.resize(1200, 800);
        view.show();
        const double shown = milliseconds([&] { view.setPopulation(population); });
        const double one = milliseconds([&] {
            model.setPopulation(grown);
            view.setPopulation(grown);
        });
        double paint[3] = {};
        const double scales[3] = {1.0, 0.45, 0.03};
        for (int i = 0; i < 3; ++i) {
            view.setTransform(QTransform::fromScale(scales[i], scales[i]));
            view.grab();
            paint[i] = milliseconds([&] { view.viewport()->grab(); });
        }
        // All unfolded, the most rows that there can be.
        std::vector<OutlineRow> rows;
        const double outlined = milliseconds([&] {
            const Outline outline(outlineKernels(*population), count);
            std::unordered_set<OutlineKey> opened;
            for (const OutlineKey key : outline.keys()) {
                if (outline.isFoldedAtFirst(key)) {
                    opened.insert(key);
                }
            }
            rows = outline.rows(opened);
        });
        OutlineModel outlineModel;
        const double given = milliseconds([&] { outlineModel.setRows(population, std::move(rows)); });
        std::printf("%8lld %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f\n", static_cast<long long>(count),
                    filled, shown, one, paint[0], paint[1], paint[2], outlined, given);
    }
    return 0;
}
