// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels are compiled each by itself in parts, and again only when they change.
#include "tests/core/hipcpu_device_ir.h"

#include <algorithm>

using namespace gks;
using namespace gks::hipcpu;
namespace fs = std::filesystem;

namespace {

// Two kernels that add to one variable; the second one by `step`.
std::string twoKernels(int step) {
    const auto kernel = [](const std::string& name, const std::string& by) {
        return "define amdgpu_kernel void @" + name + R"((ptr addrspace(1) %p) {
  %old = load i32, ptr addrspace(1) @calls
  %new = add i32 %old, )" +
               by + R"(
  store i32 %new, ptr addrspace(1) @calls
  store i32 %new, ptr addrspace(1) %p
  ret void
}
)";
    };
    return "@calls = internal addrspace(1) externally_initialized global i32 0\n" + kernel("first", "1") +
           kernel("second", std::to_string(step));
}

std::vector<std::string> contents(const std::vector<fs::path>& files) {
    std::vector<std::string> all;
    for (const fs::path& file : files) {
        all.push_back(readFile(file).value());
    }
    return all;
}

} // namespace

class HipcpuParts : public DeviceIr {
    Q_OBJECT

private Q_SLOTS:
    void init() { makeFolder(); }

    void eachKernelIsThreeParts() {
        const auto made = retargeted(twoKernels(2), {});
        QVERIFY2(made, made ? "" : made.error().message().c_str());
        QCOMPARE(made->kernels.size(), std::size_t{2});
        QCOMPARE(made->objects.size(), std::size_t{7}); // and what they share
    }

    void whatNobodyChangedIsKept() {
        const fs::path cache = m_folder->path() / "cache";
        const auto kept = [&] {
            return std::distance(fs::directory_iterator(cache / "kernels"), fs::directory_iterator());
        };
        const auto fresh = contents(retargeted(twoKernels(2), {})->objects);
        QVERIFY(!fs::exists(cache));
        QCOMPARE(contents(retargeted(twoKernels(2), cache)->objects), fresh);
        QCOMPARE(kept(), 7);
        const auto again = retargeted(twoKernels(2), cache);
        QCOMPARE(contents(again->objects), fresh);
        QCOMPARE(again->optimiseSeconds + again->emitSeconds, 0.0);
        const auto changed = contents(retargeted(twoKernels(3), cache)->objects);
        QCOMPARE(kept(), 10);
        for (std::size_t part = 0; part < fresh.size(); ++part) {
            QCOMPARE(changed[part] == fresh[part], part < 4); // what is shared and the first kernel's
        }
    }

    void aFullCacheLosesItsOldest() {
        const fs::path cache = m_folder->path() / "cache";
        fs::create_directories(cache / "kernels");
        for (int i = 0; i < 1600; ++i) {
            QVERIFY(writeFileAtomically(cache / "kernels" / std::to_string(i), "old"));
        }
        const auto made = contents(retargeted(twoKernels(2), cache)->objects);
        QVERIFY(std::distance(fs::directory_iterator(cache / "kernels"), fs::directory_iterator()) < 1500);
        QCOMPARE(contents(retargeted(twoKernels(2), cache)->objects), made);
        QCOMPARE(retargeted(twoKernels(2), cache)->emitSeconds, 0.0);
    }

    void aCacheThatCannotBeWrittenIsNoError() {
        QVERIFY(writeFileAtomically(m_folder->path() / "cache", "a file"));
        QVERIFY(retargeted(twoKernels(2), m_folder->path() / "cache"));
    }
};

QTEST_APPLESS_MAIN(HipcpuParts)
#include "hipcpu_parts.moc"
