// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/judge/source_listing.h"
#include "core/target/ptxas_report.h"
#include "widgets/code/live_compile.h"
#include "widgets/common/latest_work.h"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>

namespace gks {

class EngineBridge;

// One kernel through the compiler.
struct ListedKernel {
    std::string source;
    std::string architecture;           // that it was compiled for
    std::vector<PtxasKernel> assembled; // what the build that was judged said of it, on an NVIDIA device
    bool isOfHarness = false;           // only a harness knows how it is built
    Result<SourceListing> listing = SourceListing{};
    std::string normalized; // its instructions without what differs in every build
    const MachineCode* code() const { return listing && listing->code ? &*listing->code : nullptr; }
    // Where there is no code: the compiler's first word on it, or what this machine lacks.
    std::string whyNot() const;
};
// Why there is none, for which device it was to be, and what is known all the same.
QString noCodeText(const ListedKernel& kernel);
// What an NVIDIA device's code is made from, shown where nothing here can read the code itself.
bool isPtx(const MachineCode& code);
using ListedPtr = std::shared_ptr<const ListedKernel>;
struct ListedPair {
    ListedPtr own;
    ListedPtr other; // null: none was asked for
};

// Kernels are compiled beside the window, for the architecture that the report of their evaluation is of, and kept: a
// source never changes. The newest question counts.
class KernelListings final : public QObject {
    Q_OBJECT

public:
    explicit KernelListings(EngineBridge* bridge, QObject* parent = nullptr) : QObject(parent), m_bridge(bridge) {}
    void setLister(SourceLister lister) { m_lister = std::move(lister); } // for tests

    // `other` may be 0. The answer comes on the GUI thread, once, or never after cancel(); an error is one of reading
    // the sources.
    void ask(KernelId own, KernelId other, std::function<void(const Result<ListedPair>&)> answer);
    void cancel();
    bool isBusy() const { return m_isReading || m_work.isBusy(); }

private:
    void build(const std::vector<KernelId>& ids, const std::vector<std::string>& sources,
               std::function<void(const Result<ListedPair>&)> answer);

    EngineBridge* m_bridge;
    SourceLister m_lister = listSource;
    std::map<KernelId, ListedPtr> m_known;
    int m_question = 0;
    bool m_isReading = false;
    LatestWork<ListedPair> m_work;
};

} // namespace gks
