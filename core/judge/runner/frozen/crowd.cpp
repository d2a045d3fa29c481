// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/crowd.h"

#include "core/hipcpu/runtime/launch_limits.h"
#include "core/hipcpu/runtime/stack_pool.h"

#include <algorithm>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#include <variant>

namespace gks::frozen {

Crowd crowdOf(const LaunchPlan& plan, hipcpu::LoadedDeviceModule& module) {
    Crowd crowd;
    for (const PlanOperation& operation : plan.operations) {
        const auto* const launch = std::get_if<KernelLaunch>(&operation.action);
        const hipcpu::RunnableKernel* const kernel = launch != nullptr ? module.kernel(launch->kernel) : nullptr;
        if (kernel == nullptr) {
            continue;
        }
        const std::uint64_t blocks = elementsOf(launch->grid);
        const std::uint64_t bytes =
            hipcpu::residentBlockBytes +
            (kernel->entry->block == nullptr ? elementsOf(launch->block) * hipcpu::StackPool::stackBytes : 0);
        if (launch->attributes.cooperative) {
            crowd.isAny = true;
            crowd.cooperativeBytes = std::max(crowd.cooperativeBytes, blocks * bytes);
        } else if (kernel->entry->waitsForOthers != 0) {
            crowd.isAny = true;
            crowd.waitingBlocks = std::max(crowd.waitingBlocks, std::min(blocks, hipcpu::mostBlocksThatWait));
            crowd.waitingBytes = std::max(crowd.waitingBytes, bytes);
        }
    }
    return crowd;
}

std::uint64_t limitAddresses(std::uint64_t bytes, const Crowd& crowd) {
    const std::uint64_t machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t most = machine / 2;
    const std::uint64_t cooperative = std::min(crowd.cooperativeBytes, most);
    const std::uint64_t waiting =
        crowd.waitingBytes == 0 ? 0 : std::min(crowd.waitingBlocks, (most - cooperative) / crowd.waitingBytes);
    rlimit limit = {};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_max = std::min<rlim_t>(limit.rlim_max, bytes + cooperative + waiting * crowd.waitingBytes);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_AS, &limit);
    return waiting;
}

void keepToProcessors(unsigned processors) {
    cpu_set_t all;
    cpu_set_t own;
    CPU_ZERO(&own);
    if (::sched_getaffinity(0, sizeof all, &all) != 0) {
        return;
    }
    // From where it runs now: not all processes of the kind on the same ones.
    const int first = std::max(0, ::sched_getcpu());
    for (int i = 0; i < CPU_SETSIZE && static_cast<unsigned>(CPU_COUNT(&own)) < processors; ++i) {
        const int at = (first + i) % CPU_SETSIZE;
        if (CPU_ISSET(at, &all)) {
            CPU_SET(at, &own);
        }
    }
    ::sched_setaffinity(0, sizeof own, &own);
}

} // namespace gks::frozen
