// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/campaign_samples.h"

#include <chrono>
#include <fmt/format.h>

// How long the population of a large campaign takes: read from the file, after one event, and unchanged.
using namespace gks;
using namespace gks::test;

namespace {

double milliseconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main() {
    fmt::print("{:>8} {:>12} {:>12} {:>14} {:>12} {:>10}\n", "kernels", "add (ms)", "open (ms)", "first (ms)",
               "after 1 (ms)", "same (ms)");
    for (const int count : {100, 1000, 10000}) {
        Campaign campaign;
        const std::string body = randomText(4000);
        const double add = milliseconds([&] {
            for (int i = 2; i < count; ++i) {
                const auto id = campaign.store->addKernel(sampleKernel(1, fmt::format("int k{}; // {}", i, body)));
                static_cast<void>(campaign.store->addEvaluation(sampleEvaluation(*id, 50, 1)));
            }
        });
        const double open = milliseconds([&] { campaign.reopen(); });
        const double first = milliseconds([&] { static_cast<void>(campaign.store->population()); });
        static_cast<void>(campaign.store->setKernelState(1, KernelState::evaluating));
        const double after = milliseconds([&] { static_cast<void>(campaign.store->population()); });
        const double same = milliseconds([&] { static_cast<void>(campaign.store->population()); });
        fmt::print("{:>8} {:>12.2f} {:>12.1f} {:>14.1f} {:>12.1f} {:>10.3f}\n", count, add / count, open, first, after,
                   same);
    }
}
