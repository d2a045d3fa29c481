// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/kernel_listings.h"

#include "core/base/quantity.h"
#include "core/target/kernel_name.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/terms.h"

#include <QStringList>

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t knownListings = 24;

ListedPtr kernelOfHarness(const std::string& source) {
    auto one = std::make_shared<ListedKernel>();
    one->source = source;
    one->isOfHarness = true;
    return one;
}

ListedPtr listedKernel(TargetKind target, KernelId id, const std::string& source, const SourceLister& lister,
                       const ProblemPack* problem, const CampaignQueries* queries, const std::stop_token& stop) {
    const auto verdict = newestVerdict(queries, id);
    ListingRequest request;
    request.problem = problem;
    request.source = source;
    request.architecture = listedArchitecture(target, verdict ? &*verdict : nullptr);
    if (verdict) {
        request.compilerOptions = verdict->conditions.compilerOptions;
    }
    auto one = std::make_shared<ListedKernel>();
    one->architecture = request.architecture;
    if (verdict) {
        one->assembled = readPtxasReport(verdict->build.log);
    }
    one->source = source;
    one->listing = lister(request, stop);
    one->normalized = one->code() != nullptr ? normalizedListing(*one->code()) : "";
    return one;
}

} // namespace

std::string ListedKernel::whyNot() const {
    return !listing                       ? listing.error().message()
           : listing->diagnostics.empty() ? listing->failure
                                          : fmt::format("{}: {}:{}: {}", listing->failure, listing->diagnostics[0].file,
                                                        listing->diagnostics[0].line, listing->diagnostics[0].text);
}

QString noCodeText(const ListedKernel& kernel) {
    if (kernel.isOfHarness) {
        return QObject::tr("A command pack has none: only its own harness knows how a kernel is built. What it prints "
                           "then stands in the kernel's facts.");
    }
    QStringList parts = {
        QObject::tr("It is compiled for %1. %2").arg(toText(kernel.architecture), toText(kernel.whyNot()))};
    for (const PtxasKernel& one : kernel.assembled) {
        parts << QObject::tr("The build that was judged: %1, %2 registers, %3 shared, %4 spilled")
                     .arg(toText(kernelName(one.symbol)))
                     .arg(one.registers)
                     .arg(toText(formatBytes(static_cast<std::uint64_t>(one.sharedBytes))),
                          toText(formatBytes(static_cast<std::uint64_t>(one.spillBytes))));
    }
    return parts.join(QLatin1Char('\n'));
}

bool isPtx(const MachineCode& code) {
    return code.architecture.starts_with("PTX");
}

void KernelListings::ask(KernelId own, KernelId other, std::function<void(const Result<ListedPair>&)> answer) {
    cancel(); // the compiler of what was looked at before
    m_isReading = true;
    std::vector<KernelId> ids = {own};
    if (other != 0) {
        ids.push_back(other);
    }
    m_bridge->askSources(this, ids,
                         [this, ids, question = m_question,
                          answer = std::move(answer)](const Result<std::vector<std::string>>& sources) {
                             if (question != m_question) {
                                 return;
                             }
                             m_isReading = false;
                             if (!sources) {
                                 answer(tl::unexpected(sources.error()));
                             } else if (sources->size() != ids.size()) { // without a campaign file
                                 answer(usageError("the sources are not at hand", "the campaign"));
                             } else {
                                 build(ids, *sources, answer);
                             }
                         });
}

void KernelListings::cancel() {
    ++m_question;
    m_isReading = false;
    m_work.cancel();
}

void KernelListings::build(const std::vector<KernelId>& ids, const std::vector<std::string>& sources,
                           std::function<void(const Result<ListedPair>&)> answer) {
    std::vector<ListedPtr> known;
    for (const KernelId id : ids) {
        const auto found = m_known.find(id);
        known.push_back(found == m_known.end() ? nullptr : found->second);
    }
    const auto work = [ids, known, settings = m_bridge->population()->settings, sources, lister = m_lister,
                       problem = m_bridge->problem(), queries = m_bridge->queries()](const std::stop_token& stop) {
        std::vector<ListedPtr> listed;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            listed.push_back(known[i]                   ? known[i]
                             : settings.judgedByHarness ? kernelOfHarness(sources[i])
                                                        : listedKernel(settings.target, ids[i], sources[i], lister,
                                                                       problem.get(), queries.get(), stop));
        }
        return ListedPair{listed[0], listed.size() > 1 ? listed[1] : nullptr};
    };
    m_work.start(work, [this, ids, answer = std::move(answer)](const ListedPair& pair) {
        if (m_known.size() + 2 > knownListings) {
            m_known.clear();
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ListedPtr& one = i == 0 ? pair.own : pair.other;
            if (one && one->listing) { // what failed here may go well another time
                m_known[ids[i]] = one;
            }
        }
        answer(pair);
    });
}

} // namespace gks
