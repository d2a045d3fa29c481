// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/counters.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using namespace gks;

namespace {

// In the form in which ncu 2025.3.1 wrote them on an H200, with fewer columns.
const std::string ncuText =
    "==PROF== Connected to process 1898 (/opt/gks/bin/kernel-scientist-runner)\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\","
    "\"lts__t_sector_hit_rate.pct\",\"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio\"\n"
    "\"\",\"\",\"\",\"\",\"byte\",\"ns\",\"%\",\"\",\"\",\"\"\n"
    "\"0\",\"1898\",\"gemm<(int)2, (int)3>(Problem)\",\"(256, 1, "
    "1)\",\"18,560,000\",\"240,128\",\"86.75\",\"3.40\",\"1.48\","
    "\"2.25\"\n"
    "\"1\",\"1898\",\"say \"\"hi\"\"\",\"(32, 1, 1)\",\"256\",\"1,000\",\"n/a\",\"0\",\"0\",\"0\"\n";

// In the form that rocprofv3's documentation shows; no run of the tool on a card.
const std::string rocprofText = "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\","
                                "\"Counter_Value\",\"Start_Timestamp\"\n"
                                "1,1,4,\"__amd_rocclr_fillBufferAligned\",\"GRBM_GUI_ACTIVE\",99,1\n"
                                "3,3,4,\"second(Problem)\",\"GRBM_GUI_ACTIVE\",500,1\n"
                                "2,2,4,\"first(Problem)\",\"GRBM_GUI_ACTIVE\",1000,1\n"
                                "2,2,4,\"first(Problem)\",\"SQ_VALU_MFMA_BUSY_CYCLES\",608000,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_HIT_sum\",300,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_MISS_sum\",100,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_EA0_RDREQ_sum\",100,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_EA0_RDREQ_32B_sum\",10,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_BUBBLE_sum\",20,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_EA0_WRREQ_sum\",50,1\n"
                                "2,2,4,\"first(Problem)\",\"TCC_EA0_WRREQ_64B_sum\",40,1\n";

double valueOf(const std::vector<CounterFact>& facts, const std::string& name) {
    const auto fact = std::find_if(facts.begin(), facts.end(), [&](const auto& one) { return one.name == name; });
    return fact == facts.end() ? -1 : fact->value;
}

} // namespace

class JudgeCounters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatNcuWrites() {
        const auto launches = ncuTable(ncuText);
        QVERIFY2(launches.has_value(), launches ? "" : launches.error().message().c_str());
        QCOMPARE(launches->size(), std::size_t{2});
        QCOMPARE(launches->front().kernel, std::string("gemm<(int)2, (int)3>(Problem)"));
        QCOMPARE(launches->back().kernel, std::string("say \"hi\""));
        const auto facts = counterFacts(TargetKind::nvidia, launches->front(), 132);
        QCOMPARE(valueOf(facts, "time under the profiler"), 240.128);
        QCOMPARE(valueOf(facts, "read from memory"), 18560000.0);
        QCOMPARE(valueOf(facts, "L2 hits"), 86.75);
        // The two largest reasons why warps wait, the largest first.
        QCOMPARE(valueOf(facts, "stall: barrier"), 2.25);
        QCOMPARE(facts.back().name, std::string("stall: barrier"));
        QCOMPARE(valueOf(facts, "stall: wait"), -1.0);
        QCOMPARE(counterText(facts), std::string("time under the profiler 240 us, read from memory 17.7 MiB, L2 hits "
                                                 "86.8 %, stall: long scoreboard 3.40 warps, stall: barrier 2.25 "
                                                 "warps"));
        // What is no number is left out, and so is a stall that never was.
        const auto second = counterFacts(TargetKind::nvidia, launches->back(), 132);
        QCOMPARE(valueOf(second, "L2 hits"), -1.0);
        QCOMPARE(second.back().name, std::string("read from memory"));
    }

    void readsWhatRocprofWrites() {
        const auto launches = rocprofTable(rocprofText);
        QVERIFY2(launches.has_value(), launches ? "" : launches.error().message().c_str());
        QCOMPARE(launches->size(), std::size_t{2}); // without the runtime's own, in the order of the launches
        QCOMPARE(launches->front().kernel, std::string("first(Problem)"));
        const auto facts = counterFacts(TargetKind::amd, launches->front(), 304);
        QCOMPARE(valueOf(facts, "matrix cores busy"), 50.0); // 100 * 608000 / (4 * 1000 * 304)
        QCOMPARE(valueOf(facts, "L2 hits"), 75.0);
        QCOMPARE(valueOf(facts, "read from memory"), 128.0 * 20 + 64 * 70 + 32 * 10);
        QCOMPARE(valueOf(facts, "written to memory"), 64.0 * 40 + 32 * 10);
        // Shares need to know how many units there are.
        QCOMPARE(valueOf(counterFacts(TargetKind::amd, launches->front(), 0), "matrix cores busy"), -1.0);
    }

    void whatIsNoTableIsAnErrorWithItsWords() {
        const auto forbidden = ncuTable("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
        QVERIFY(!forbidden);
        QVERIFY(forbidden.error().what.find("ERR_NVGPUCTRPERM") != std::string::npos);
        QVERIFY(forbidden.error().next.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
        QVERIFY(!ncuTable(""));
        QVERIFY(!ncuTable("\"a\",\"b\"\n1,2\n"));
        QVERIFY(!rocprofTable("\"Dispatch_Id\",\"Kernel_Name\"\n1,k\n"));
        // A line that was cut off is left out.
        const auto cut = ncuTable(ncuText + "\"2\",\"1898\",\"third");
        QVERIFY(cut && cut->size() == 2);
    }

    void everyPassAsksForWhatItsFactsNeed() {
        QVERIFY(counterPasses(TargetKind::cpu).empty());
        for (const TargetKind target : {TargetKind::nvidia, TargetKind::amd}) {
            RawCounters raw;
            for (const auto& pass : counterPasses(target)) {
                QCOMPARE(std::set<std::string>(pass.begin(), pass.end()).size(), pass.size());
                for (const std::string& counter : pass) {
                    raw.values[counter] = 1000;
                }
            }
            const auto facts = counterFacts(target, raw, 304);
            QVERIFY(facts.size() >= 7);
            for (const CounterFact& fact : facts) {
                QVERIFY2(fact.value > 0, fact.name.c_str());
            }
        }
    }

    void jsonAndBack() {
        CounterReport report{"ncu 2025.3.1.0", {}, {{{{"m", 64}}, "k(Problem)", {{"L2 hits", 86.5, "%"}}}}};
        const auto again = counterReportFromJson(Json::parse(toJson(report).dump()));
        QVERIFY(again && *again == report);
        const CounterReport none{{}, "ncu (Nsight Compute) was not found", {}};
        QVERIFY(counterReportFromJson(Json::parse(toJson(none).dump())) == none);
        QVERIFY(!counterReportFromJson(Json::parse(R"({"launches": [{"facts": [{"value": "many"}]}]})")));
        report.launches.front().facts.assign(1000, {"a", 1, ""});
        QVERIFY(!counterReportFromJson(Json::parse(toJson(report).dump())));
    }
};

QTEST_GUILESS_MAIN(JudgeCounters)
#include "judge_counters.moc"
