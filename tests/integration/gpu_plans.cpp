// SPDX-License-Identifier: GPL-3.0-or-later
// Host code of kernels for GPUs, built by the real compilers and planned where no device is.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/evaluator/trial/kernel_planning.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_rows.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

const std::string testsFolder = std::string(GKS_SOURCE_DIR) + "/tests/";
constexpr const char* noCuda = "no CUDA toolkit";

std::string read(const std::string& path) {
    return readFile(path).value_or("");
}

// "0 launch one(Problem, float, Mixed) 3 x 2 x 1 x 64 x 4 ... | ...": operations as people see them.
std::string inWords(const LaunchPlan& plan, const KernelPlan& planned) {
    std::vector<std::string> rows;
    for (const PlanRow& row : rowsOf(plan, planned.facts, planned.addresses, {})) {
        std::string text = row.stream + " " + row.operation;
        for (const std::string* const part : {&row.what, &row.grid, &row.block, &row.lds, &row.arguments}) {
            text += part->empty() ? "" : " " + *part;
        }
        rows.push_back(text);
    }
    return join(rows, " | ");
}

// A kernel with one argument that does this.
std::string smallKernel(const std::string& statement) {
    return fmt::format("#include \"problem.h\"\n#include <cassert>\n#include <cstdio>\n"
                       "__global__ void k(float* y) {{ y[threadIdx.x] += 1; {} }}\n"
                       "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t stream) {{\n"
                       "    k<<<1, 64, 0, stream>>>(p.y);\n    return hipGetLastError();\n}}\n",
                       statement);
}

} // namespace

class GpuPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto pack = loadProblemPack(testsFolder + "data/kernels/affine");
        QVERIFY(pack.has_value());
        m_pack.emplace(std::move(*pack));
    }

    void nvidiaCaptured_data();
    void nvidiaCaptured() {
        if (!toolchain().cuda) {
            QSKIP(noCuda);
        }
        QFETCH(const int, rows);
        QFETCH(const QString, operations);
        const auto planned = planOf(TargetKind::nvidia, read(testsFolder + "data/planner/nvidia.hip"), rows);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        QCOMPARE(QString::fromStdString(inWords(planned->call.plan, *planned)), operations);
        QCOMPARE(planned->facts.code, DeviceCode::nvidia);
    }

    void nvidiaFactsAreTheCubins() {
        if (!toolchain().cuda) {
            QSKIP(noCuda);
        }
        const auto planned = planOf(TargetKind::nvidia, read(testsFolder + "data/planner/nvidia.hip"), 9);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        const auto kernel = [&](std::string_view part) {
            for (const KernelFacts& facts : planned->facts.kernels) {
                if (facts.symbol.find(part) != std::string::npos) {
                    return facts;
                }
            }
            return KernelFacts();
        };
        QCOMPARE(kernel("3oneE").argumentBytes, (std::vector<std::uint32_t>{32, 4, 16}));
        QCOMPARE(kernel("3oneE").greatestBlock, 256U);
        QCOMPARE(kernel("6mappedE").argumentBytes, (std::vector<std::uint32_t>{128, 8, 384}));
        QCOMPARE(kernel("6mappedE").staticLdsBytes, 0U);
        QCOMPARE(kernel("6mappedE").mostDynamicLdsBytes, 232448U); // and not what the device keeps for itself
        QVERIFY(kernel("3twoE").registers > 0);
        std::map<std::uint64_t, bool> variables;
        for (const VariableFacts& variable : planned->facts.variables) {
            variables[variable.bytes] = variable.constant;
        }
        QCOMPARE(variables, (std::map<std::uint64_t, bool>{{16, true}, {128, true}, {256, false}}));
        // What was done once is setup; the map goes with every call, since it names a buffer.
        QCOMPARE(planned->call.setup.operations.size(), std::size_t{1});
        const auto& write = std::get<SymbolWrite>(planned->call.plan.operations.at(0).action);
        QCOMPARE(write.maps.size(), std::size_t{1});
        QCOMPARE(write.maps[0].map.address, planned->addresses.tensors.back().address);
    }

    void everySeedHasAPlan_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("seed");
        const auto packs = builtinProblems();
        QVERIFY(packs && !packs->empty());
        for (const char* target : {"nvidia", "amd"}) {
            for (const ProblemPack& pack : *packs) {
                for (const SeedKernel& seed : pack.seeds) {
                    QTest::addRow("%s: %s %s", target, pack.name.c_str(), seed.name.c_str())
                        << target << QString::fromStdString(pack.name) << QString::fromStdString(seed.name);
                }
            }
        }
    }
    void everySeedHasAPlan() {
        QFETCH(const QString, target);
        QFETCH(const QString, problem);
        QFETCH(const QString, seed);
        const TargetKind kind = targetFromName(target.toStdString()).value();
        if (kind == TargetKind::nvidia && !toolchain().cuda) {
            QSKIP(noCuda);
        }
        const auto pack = loadProblemPack(problem.toStdString());
        QVERIFY(pack.has_value());
        const auto found = std::find_if(pack->seeds.begin(), pack->seeds.end(),
                                        [&](const SeedKernel& one) { return one.name == seed.toStdString(); });
        std::string log;
        const auto planned = planKernel(
            {*pack, commonTarget(kind), found->source, pack->shapesOf(ShapeSet::benchmark).front(), {}, true}, log, {});
        QVERIFY2(planned.has_value(), planned ? "" : (planned.error().reason + "\n" + log).c_str());
        QVERIFY(!planned->call.plan.operations.empty());
    }

    // What lies on the stack is the same at every call: a structure's padding is no difference between two plans.
    void bytesThatNobodyWrote() {
        if (!toolchain().cuda) {
            QSKIP(noCuda);
        }
        const auto planned = planOf(TargetKind::nvidia, read(testsFolder + "data/planner/nvidia.hip"), 10);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        QCOMPARE(planned->call.plan.operations.size(), std::size_t{1});
    }

    void nvidiaRefused_data();
    void nvidiaRefused() {
        if (!toolchain().cuda) {
            QSKIP(noCuda);
        }
        QFETCH(const int, rows);
        QFETCH(const QString, sentence);
        const std::string source = read(testsFolder + "data/planner/nvidia.hip");
        QCOMPARE(refusalOf(TargetKind::nvidia, source, rows), placed(source, rows, sentence));
    }

    // Device code is made of hostile source: cut at any byte or with any byte changed it is refused or read, and what
    // is read keeps within the bounds.
    void brokenDeviceCode_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("nvidia") << "nvidia";
        QTest::newRow("amd") << "amd";
    }
    void brokenDeviceCode() {
        QFETCH(const QString, target);
        const Target built = commonTarget(targetFromName(target.toStdString()).value());
        if (built.kind == TargetKind::nvidia && !toolchain().cuda) {
            QSKIP(noCuda);
        }
        const auto build = buildOf(built, smallKernel(""));
        const std::string whole = read(build->plan().deviceModule);
        const auto factsOf = [&](std::string_view bytes) {
            return built.kind == TargetKind::nvidia ? factsOfCubin(bytes, commonH200()) : factsOfAmdCode(bytes);
        };
        const auto facts = factsOf(whole);
        QVERIFY2(facts.has_value(), facts ? "" : facts.error().message().c_str());
        QCOMPARE(facts->kernels.size(), std::size_t{1});
        QCOMPARE(facts->kernels[0].argumentBytes, (std::vector<std::uint32_t>{8}));
        std::size_t refused = 0;
        const auto look = [&](std::string_view bytes) {
            const auto found = factsOf(bytes);
            refused += found ? 0 : 1;
            QVERIFY(found || !found.error().what.empty());
            for (const KernelFacts& kernel : found ? found->kernels : std::vector<KernelFacts>()) {
                QVERIFY(kernel.argumentBytes.size() <= planArgumentLimit && kernel.greatestBlock <= 1024);
            }
        };
        for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
            look(std::string_view(whole).substr(0, bytes));
        }
        QVERIFY2(refused > whole.size() / 2, std::to_string(refused).c_str());
        std::string changed = whole;
        for (char& byte : changed) {
            const char kept = byte;
            for (const char other : {char(0), char(-1), char(kept + 1)}) {
                byte = other;
                look(changed);
            }
            byte = kept;
        }
        QVERIFY(!factsOf(""));
        QVERIFY(!factsOf(read("/proc/self/exe")));
    }

    // A service of the driver that runs on the host while the kernel does.
    void deviceCodeThatNeedsTheHost_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* target, const char* statement, const char* what) {
            QTest::addRow("%s: %s", target, what) << target << statement << what;
        };
        row("nvidia", "printf(\"%f\", y[0]);", "printf");
        row("nvidia", "y[0] = *static_cast<float*>(malloc(size_t(y[1])));", "malloc");
        row("nvidia", "assert(y[0] > 0);", "assert");
        row("amd", "printf(\"%f\", y[0]);", "printf or assert");
    }
    void deviceCodeThatNeedsTheHost() {
        QFETCH(const QString, target);
        QFETCH(const QString, statement);
        QFETCH(const QString, what);
        const TargetKind kind = targetFromName(target.toStdString()).value();
        if (kind == TargetKind::nvidia && !toolchain().cuda) {
            QSKIP(noCuda);
        }
        const std::string source = smallKernel(statement.toStdString());
        QCOMPARE(
            refusalOf(kind, source, 3),
            QStringLiteral("device code calls %1, which needs the host while it runs. Leave the call out").arg(what));
    }

    void amdCaptured_data();
    void amdCaptured() {
        QFETCH(const int, rows);
        QFETCH(const QString, operations);
        const auto planned = planOf(TargetKind::amd, read(testsFolder + "data/planner/amd.hip"), rows);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        QCOMPARE(QString::fromStdString(inWords(planned->call.plan, *planned)), operations);
        QCOMPARE(planned->facts.code, DeviceCode::amd);
    }

    // The same host code, the same answers: for the card it differs from the cpu target in nothing.
    void amdPlansAsTheCpuTargetDoes_data() {
        QTest::addColumn<int>("rows");
        for (int rows = 1; rows <= 6; ++rows) {
            QTest::addRow("%d", rows) << rows;
        }
    }
    void amdPlansAsTheCpuTargetDoes() {
        QFETCH(const int, rows);
        const std::string source = read(testsFolder + "data/planner/captured.hip");
        const auto amd = planOf(TargetKind::amd, source, rows);
        const auto cpu = planOf(TargetKind::cpu, source, rows);
        QVERIFY2(amd.has_value(), amd ? "" : amd.error().reason.c_str());
        QVERIFY2(cpu.has_value(), cpu ? "" : cpu.error().reason.c_str());
        QCOMPARE(inWords(amd->call.plan, *amd), inWords(cpu->call.plan, *cpu));
        QCOMPARE(inWords(amd->call.setup, *amd), inWords(cpu->call.setup, *cpu));
    }

    // What a verdict keeps of the plans is enough to make them again on another build of the source, without host code.
    void recordsAreTakenAgain_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("nvidia") << "nvidia";
        QTest::newRow("amd") << "amd";
    }
    void recordsAreTakenAgain() {
        QFETCH(const QString, target);
        KernelPlanner::Setup setup;
        setup.target = commonTarget(targetFromName(target.toStdString()).value());
        setup.sandbox = availableSandbox().level;
        setup.allowNoSandbox = true;
        if (setup.target.kind == TargetKind::nvidia && !toolchain().cuda) {
            QSKIP(noCuda);
        }
        const std::string source = read(testsFolder + "data/kernels/honest/workspace.hip");
        std::vector<CaseLayout> shapes;
        for (const Shape& shape : {Shape{3, 100}, Shape{512, 1024}}) {
            shapes.push_back(layoutOf(*m_pack, shape).value());
        }
        const std::vector<const CaseLayout*> layouts = {&shapes[0], &shapes[1]};
        const auto first = buildOf(setup.target, source);
        const auto planned = PlannedKernel::plan(*m_pack, first->plan(), layouts, setup);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        KernelPlans plans = (*planned)->record(*m_pack, {shapes[1]});
        makeCompact(plans, recordedPlansLimitBytes);
        QCOMPARE(plans.timed().size(), std::size_t{1});
        QVERIFY(!plans.deviceCode.empty() && plans.deviceCode == read(first->plan().deviceModule));
        const std::string text = toJson(RecordedPlans{plans, {}}, CodeBytes::included).dump();
        const auto stored = recordedPlansFromText(text, "record");
        QVERIFY2(stored.has_value(), stored ? "" : stored.error().message().c_str());
        QVERIFY(stored->kernel == plans);

        const QByteArray before = qgetenv("GKS_CACHE");
        const TemporaryDirectory cache = TemporaryDirectory::create("gks-cache").value();
        qputenv("GKS_CACHE", cache.path().c_str());
        const auto second = buildOf(setup.target, source);
        before.isNull() ? qunsetenv("GKS_CACHE") : qputenv("GKS_CACHE", before);
        QCOMPARE(sha256Hex(read(second->plan().deviceModule)), plans.deviceCodeSha256);
        const auto again = [&](const KernelPlans& record) {
            return PlannedKernel::fromRecord(*m_pack, second->plan(), layouts, setup, record);
        };
        const auto taken = again(stored->kernel);
        QVERIFY2(taken.has_value(), taken ? "" : taken.error().reason.c_str());
        for (const CaseLayout* layout : layouts) {
            QVERIFY((*taken)->of(*layout).addresses == (*planned)->of(*layout).addresses);
            QVERIFY((*taken)->of(*layout).call.plan == (*planned)->of(*layout).call.plan);
            QVERIFY((*taken)->of(*layout).addresses.workspaceBytes > 0);
        }
        QVERIFY((*taken)->facts() == (*planned)->facts());

        const auto refusal = [&](const std::function<void(ShapePlan&)>& forge) {
            KernelPlans forged = plans;
            forge(forged.shapes.front());
            const auto made = again(forged);
            return QString::fromStdString(made ? "taken" : made.error().reason);
        };
        QVERIFY(refusal([](ShapePlan& one) {
                    one.addresses.tensors[0].address += runner::mapStepBytes;
                }).contains("there is no recorded plan with these addresses"));
        QVERIFY(refusal([](ShapePlan& one) {
                    one.addresses.workspaceBytes = gpuWorkspaceBytes + 1;
                }).contains("there is no recorded plan with these addresses"));
        for (const char* why : {"the module has no kernel", "the kernel takes"}) {
            const bool renamed = std::string(why).ends_with("has no kernel");
            const QString said = refusal([&](ShapePlan& one) {
                for (PlanOperation& operation : one.plan.operations) {
                    if (auto* launch = std::get_if<KernelLaunch>(&operation.action); launch != nullptr && renamed) {
                        launch->kernel += "_fast";
                    } else if (launch != nullptr) {
                        launch->arguments[0].pop_back();
                    }
                }
            });
            QVERIFY2(said.contains("the recorded plan does not fit this build") && said.contains(why),
                     qPrintable(said));
        }
    }

    void amdRefusedByNameAndLine() {
        const std::string source = read(testsFolder + "data/planner/refused.hip");
        QCOMPARE(refusalOf(TargetKind::amd, source, 1),
                 placed(source, 1,
                        QStringLiteral("hipMalloc allocates memory of the device. Use the workspace: workspace_bytes() "
                                       "says how much of it")));
    }

private:
    std::unique_ptr<KernelBuild> buildOf(const Target& target, const std::string& source) const {
        KernelBuild::Options options;
        options.target = target;
        options.sandbox = availableSandbox().level;
        options.allowNoSandbox = true;
        options.staticReport = false;
        auto build = KernelBuild::start(*m_pack, source, options, {}, {});
        if (!build || !(*build)->waitForModule()) {
            qFatal("%s", build ? (*build)->facts().log.c_str() : build.error().reason.c_str());
        }
        return std::move(*build);
    }

    Judged<KernelPlan> planOf(TargetKind kind, const std::string& source, int rows) const {
        PlanningRequest request = {*m_pack, commonTarget(kind), source, {rows, 1000}, {}, true};
        std::string log;
        auto planned = planKernel(request, log, {});
        if (!planned && planned.error().kind == VerdictKind::buildFailed && !log.empty()) {
            qWarning("%s", log.c_str());
        }
        return planned;
    }

    QString refusalOf(TargetKind kind, const std::string& source, int rows) const {
        const auto planned = planOf(kind, source, rows);
        return planned ? QStringLiteral("planned")
                       : QString::fromStdString(planned.error().reason +
                                                (planned.error().next.empty() ? "" : ". " + planned.error().next));
    }

    // With the shape and the line of this case before it.
    static QString placed(const std::string& source, int rows, const QString& sentence) {
        const std::string before = source.substr(0, source.find(fmt::format("case {}:", rows)));
        return QStringLiteral("rows=%1 cols=1000: kernel.hip:%2: %3")
            .arg(rows)
            .arg(1 + std::count(before.begin(), before.end(), '\n'))
            .arg(sentence);
    }

    std::optional<ProblemPack> m_pack;
};

void GpuPlans::nvidiaCaptured_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("operations");
    const auto row = [](const char* name, int rows, const char* operations) {
        QTest::newRow(name) << rows << QString::fromLatin1(operations);
    };
    row("launch syntax", 1,
        "0 launch (anonymous namespace)::one(Problem, float, (anonymous namespace)::Mixed) 3 x 2 64 x 4 0 B {x, scale, "
        "y, 1, 1000}, 1056964608, {97, 0, 0, 1073741824}");
    row("clusters, tensor maps, dependent launch", 8,
        "0 launch (anonymous namespace)::mapped(CUtensorMap_st, float*, (anonymous namespace)::TwoMaps) 32 128 200 KiB "
        "cluster 4; cluster policy 1; may begin early; 100 % of on-chip memory as LDS; {map of x, f32, 1000 x "
        "8, box 32 x 8}, y, {map of y, f32, 1000 x 8, box 16 x 8; map of workspace, f32, 64 x 8, box 32 x 8}");
    row("answers", 3, "0 launch void (anonymous namespace)::lambdas<3>(float*, float) 1 64 0 B y, 1073741824");
    row("streams", 4,
        "0 record event 0 | 1 non-blocking wait event 0 | 1 non-blocking launch (anonymous namespace)::two(float*, "
        "int) 1 32 0 B y, 1 | 1 non-blocking record event 1 | 0 wait event 1");
    row("memory", 5,
        "0 fill y, 64 B with 0xff | 0 copy x to workspace, 128 B | 0 write 0x010203 to workspace+128, 3 B | 0 copy x "
        "to workspace, 64 B in 4 rows");
    row("symbols", 9,
        "0 write-symbol 0x00000000000000000000000000000000... to keptMap+0, 128 B with {map of y, f32, 1000 x 9, box "
        "32 x 8} | 0 copy-symbol x to table+0, 16 B");
    row("cooperative", 7, "0 launch (anonymous namespace)::two(float*, int) 4 64 256 B cooperative; y, 3");
}

void GpuPlans::nvidiaRefused_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("sentence");
    const auto row = [](int rows, const char* call, const char* why) {
        QTest::newRow(call) << rows << QStringLiteral("%1 %2").arg(QLatin1String(call), QLatin1String(why));
    };
    row(20, "cudaMalloc", "allocates memory of the device. Use the workspace: workspace_bytes() says how much of it");
    row(21, "cudaMemcpyAsync",
        "reads results back to the host. Decide on the device: the host's work is planned before it runs");
    row(22, "cudaStreamBeginCapture", "captures a stream. Launch the kernels one by one");
    row(23, "cudaEventElapsedTime",
        "asks how long the device took. Choose by shape: the host's work is planned before it runs");
    row(24, "cudaMallocManaged",
        "shares memory between host and device. Use the workspace, and copy to it with cudaMemcpyAsync");
    row(25, "cuMemAlloc",
        "asks for a function of the driver that a launch plan cannot express. Use the runtime's functions, and "
        "cuTensorMapEncodeTiled");
    row(26, "cudaLaunchKernelExC",
        "has a launch attribute that a launch plan cannot express. Use cooperative launches, clusters, programmatic "
        "stream serialization or the carveout");
    row(27, "cudaLaunchKernel", "uses the stream of the calling thread. Use the stream that solve() is called with");
    row(28, "cudaGetSymbolAddress",
        "asks for the address of a variable, which nobody knows before the device's code is loaded. Name the variable "
        "in the kernel, or use cudaMemcpyToSymbol");
    row(29, "cudaFuncSetAttribute", "sets an attribute that a launch plan cannot express. Leave the call out");
}

void GpuPlans::amdCaptured_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("operations");
    const auto row = [](const char* name, int rows, const char* operations) {
        QTest::newRow(name) << rows << QString::fromLatin1(operations);
    };
    row("hipExtLaunch", 1,
        "0 launch (anonymous namespace)::scaled(float*, int, float) 2 64 256 B y, 1, 1073741824 | 0 record event 0 | 1 "
        "legacy wait event 0 | 1 legacy launch (anonymous namespace)::scaled(float*, int, float) 3 128 512 B y, 2, "
        "1082130432");
    row("hipModuleLaunchKernel on the own module", 2,
        "0 launch (anonymous namespace)::scaled(float*, int, float) 4 x 2 64 128 B y, 3, 1065353216 | 0 launch "
        "(anonymous namespace)::scaled(float*, int, float) 4 128 0 B y, 3, 1065353216");
    row("cooperative", 3,
        "0 launch (anonymous namespace)::scaled(float*, int, float) 8 64 64 B cooperative; y, 3, 1065353216");
    row("answers", 4, "0 launch (anonymous namespace)::scaled(float*, int, float) 1 64 0 B y, 1, 1065353216");
}

QTEST_APPLESS_MAIN(GpuPlans)
#include "gpu_plans.moc"
