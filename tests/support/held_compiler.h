// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/live_compile.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gks {

inline KernelResources functionWith(const std::string& name, int vgprs, int waves) {
    KernelResources function;
    function.name = name;
    function.vgprs = vgprs;
    function.sgprs = 40;
    function.ldsBytes = 4096;
    function.maxWorkgroupSize = 256;
    function.occupancyWavesPerSimd = waves;
    return function;
}

inline SourceListing listingWith(std::vector<KernelResources> functions) {
    SourceListing listing;
    listing.report = StaticReport{"gfx942", std::move(functions), 100};
    return listing;
}

inline SourceListing failureAt(int line, int column) {
    SourceListing listing;
    listing.failure = "1 error";
    listing.diagnostics = {
        {"kernel.hip", line, column, DiagnosticKind::error, "use of undeclared identifier 'nothing'", true}};
    return listing;
}

// A compiler that ends when it is let, and counts who uses it.
class HeldCompiler {
public:
    ~HeldCompiler() { // whoever asked may be gone already
        release();
        std::unique_lock lock(m_mutex);
        m_change.wait(lock, [this] { return m_running == 0; });
    }
    SourceLister lister() {
        return [this](const ListingRequest& request, const std::stop_token& stop) -> Result<SourceListing> {
            std::unique_lock lock(m_mutex);
            m_sources.push_back(request.source);
            m_most = std::max(m_most, ++m_running);
            m_change.wait(lock, stop, [this] { return !m_isHeld; });
            --m_running;
            m_change.notify_all();
            if (stop.stop_requested()) {
                ++m_stopped;
                return tl::unexpected(Error{ErrorKind::cancelled, "cancelled"});
            }
            return m_answer;
        };
    }
    void hold() { set(m_isHeld, true); }
    void release() { set(m_isHeld, false); }
    void answer(Result<SourceListing> answer) { set(m_answer, std::move(answer)); }
    std::vector<std::string> sources() const { return get(m_sources); }
    int stopped() const { return get(m_stopped); }
    int most() const { return get(m_most); }

private:
    template<class T>
    T get(const T& value) const {
        const std::lock_guard lock(m_mutex);
        return value;
    }
    template<class T>
    void set(T& place, T value) {
        {
            const std::lock_guard lock(m_mutex);
            place = std::move(value);
        }
        m_change.notify_all();
    }

    mutable std::mutex m_mutex;
    std::condition_variable_any m_change;
    bool m_isHeld = false;
    Result<SourceListing> m_answer = listingWith({functionWith("gemm(Problem)", 96, 5)});
    std::vector<std::string> m_sources;
    int m_running = 0;
    int m_most = 0;
    int m_stopped = 0;
};

} // namespace gks
