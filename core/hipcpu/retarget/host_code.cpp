// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/host_code.h"

#include <algorithm>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/InferFunctionAttrs.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>
#include <mutex>

namespace gks::hipcpu {
namespace {

void turnOn(const char* name) { // unknown where the processor is no x86
    const auto option = llvm::cl::getRegisteredOptions().find(name);
    if (option != llvm::cl::getRegisteredOptions().end()) {
        option->second->addOccurrence(0, name, "true");
    }
}

void initialiseTarget() {
    static std::once_flag once;
    std::call_once(once, [] {
        // LLVM looks for masks to move from general registers to those of AVX-512: a tenth of the code generator's time
        // in long blocks, and it finds none in the code of the seeds.
        turnOn("disable-x86-domain-reassignment");
        // The loop over a block's strips touches many arrays by one index. LLVM would step a pointer through each, keep
        // them on the stack for want of registers, and take half of the code generator's time for it.
        turnOn("disable-lsr");
        // Threads behind an "if" that load or store their pairs side by side do it by masked wide accesses with
        // shuffles in the place of gathers.
        turnOn("enable-masked-interleaved-mem-accesses");
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        llvm::InitializeNativeTargetAsmParser(); // empty assembly statements of host code are still assembly
    });
}

struct HostProcessor {
    HostProcessor() {
        llvm::SubtargetFeatures all;
        for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
            all.AddFeature(feature.first(), feature.second);
        }
        if (llvm::Triple(llvm::sys::getProcessTriple()).isX86()) {
            // Strips of 16 threads are registers of AVX-512, which LLVM leaves half empty for some processors' clocks.
            all.AddFeature("prefer-256-bit", false);
        }
        features = all.getString();
    }
    std::string name = llvm::sys::getHostCPUName().str();
    std::string features;
};

// As clang has it; LLVM's own default leaves the SLP vectoriser out.
llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.SLPVectorization = true;
    return options;
}

// The analysis managers of a run, connected with each other.
class Pipeline {
public:
    explicit Pipeline(llvm::TargetMachine& machine) : m_builder(&machine, tuning(), std::nullopt, &m_callbacks) {
        m_leaveAlone.registerCallbacks(m_callbacks);
        m_builder.registerModuleAnalyses(m_module);
        m_builder.registerCGSCCAnalyses(m_callGraph);
        m_builder.registerFunctionAnalyses(m_function);
        m_builder.registerLoopAnalyses(m_loop);
        m_builder.crossRegisterProxies(m_loop, m_function, m_callGraph, m_module);
    }
    llvm::PassBuilder& builder() { return m_builder; }
    template<class Passes>
    void run(Passes passes, llvm::Module& module) {
        passes.run(module, m_module);
    }
    void run(llvm::FunctionPassManager& passes, llvm::Function& function) { passes.run(function, m_function); }

private:
    llvm::PassInstrumentationCallbacks m_callbacks;
    llvm::OptNoneInstrumentation m_leaveAlone{/*DebugLogging=*/false}; // what is marked with optnone
    llvm::PassBuilder m_builder;
    llvm::LoopAnalysisManager m_loop;
    llvm::FunctionAnalysisManager m_function;
    llvm::CGSCCAnalysisManager m_callGraph;
    llvm::ModuleAnalysisManager m_module;
};

llvm::OptimizationLevel levelOf(int level) {
    switch (level) {
    case 1:
        return llvm::OptimizationLevel::O1;
    case 2:
        return llvm::OptimizationLevel::O2;
    default:
        return llvm::OptimizationLevel::O3;
    }
}

constexpr const char* simplifiedMark = "hipcpu.simplified";

// Some passes, and what tidies up behind them where they have changed anything.
class Tidied : public llvm::PassInfoMixin<Tidied> {
public:
    Tidied(llvm::FunctionPassManager passes, llvm::FunctionPassManager behind)
        : m_passes(std::move(passes)), m_behind(std::move(behind)) {}
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
        llvm::PreservedAnalyses preserved = m_passes.run(function, analyses);
        if (!preserved.areAllPreserved()) {
            preserved.intersect(m_behind.run(function, analyses));
        }
        return preserved;
    }

private:
    llvm::FunctionPassManager m_passes;
    llvm::FunctionPassManager m_behind;
};

template<class... Passes>
llvm::FunctionPassManager sequence(Passes... passes) {
    llvm::FunctionPassManager all;
    (all.addPass(std::move(passes)), ...);
    return all;
}

// What the threads' loops bring anew is tidied, then comes the second half: vectors and what they leave.
llvm::FunctionPassManager finishingPasses(int level) {
    const llvm::SimplifyCFGOptions last = llvm::SimplifyCFGOptions()
                                              .forwardSwitchCondToPhi(true)
                                              .convertSwitchRangeToICmp(true)
                                              .convertSwitchToLookupTable(true)
                                              .needCanonicalLoops(false)
                                              .hoistCommonInsts(true)
                                              .sinkCommonInsts(true);
    const auto leaveLoops = [] {
        return llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true);
    };
    return sequence(
        llvm::SROAPass(llvm::SROAOptions::ModifyCFG), llvm::EarlyCSEPass(/*UseMemorySSA=*/true),
        llvm::SimplifyCFGPass(), llvm::InstCombinePass(),
        // Reassociated, what does not change in a loop goes together.
        Tidied(sequence(llvm::ReassociatePass(), leaveLoops(), llvm::LoopVectorizePass()),
               sequence(llvm::InstCombinePass())),
        llvm::SimplifyCFGPass(last),
        Tidied(sequence(llvm::SLPVectorizerPass(), llvm::VectorCombinePass()), sequence(llvm::InstCombinePass())),
        Tidied(sequence(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(level))),
               sequence(llvm::SROAPass(llvm::SROAOptions::PreserveCFG), llvm::InstCombinePass())),
        leaveLoops(), llvm::SimplifyCFGPass(last));
}

} // namespace

Result<std::unique_ptr<llvm::TargetMachine>> hostMachine(int optimisationLevel) {
    initialiseTarget();
    static const HostProcessor host; // asking it takes as long as compiling a small kernel, where a machine is virtual
    const std::string triple = llvm::sys::getProcessTriple();
    std::string problem;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
    if (target == nullptr) {
        return infrastructureError(problem, "LLVM", "Install the libllvm19 of this machine's architecture");
    }
    llvm::TargetOptions options;
    options.UseInitArray = true;    // where constructors of host code are looked for
    options.TrapUnreachable = true; // or the next function is what comes after
    const auto level = optimisationLevel >= 3   ? llvm::CodeGenOptLevel::Aggressive
                       : optimisationLevel == 2 ? llvm::CodeGenOptLevel::Default
                       : optimisationLevel == 1 ? llvm::CodeGenOptLevel::Less
                                                : llvm::CodeGenOptLevel::None;
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(triple, host.name, host.features, options, llvm::Reloc::PIC_, std::nullopt, level));
}

bool computesHalves(const llvm::TargetMachine& machine) {
    return machine.getMCSubtargetInfo()->checkFeatures("+avx512fp16");
}

void inlineEverything(llvm::Module& flat, llvm::TargetMachine& machine) {
    Pipeline pipeline(machine);
    llvm::FunctionPassManager promote;
    promote.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    promote.addPass(llvm::EarlyCSEPass());
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
    passes.addPass(llvm::GlobalDCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(promote)));
    pipeline.run(std::move(passes), flat);
}

void tidy(llvm::Module& flat, llvm::TargetMachine& machine) {
    Pipeline pipeline(machine);
    llvm::FunctionPassManager simplify;
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::InstCombinePass());
    simplify.addPass(llvm::EarlyCSEPass());
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    passes.addPass(llvm::GlobalDCEPass());
    pipeline.run(std::move(passes), flat);
}

void simplify(const std::vector<llvm::Function*>& functions, llvm::TargetMachine& machine, int level) {
    Pipeline pipeline(machine);
    llvm::FunctionPassManager passes = pipeline.builder().buildFunctionSimplificationPipeline(
        levelOf(std::max(level, 1)), llvm::ThinOrFullLTOPhase::None);
    for (llvm::Function* function : functions) {
        if (function != nullptr) {
            pipeline.run(passes, *function);
        }
    }
}

void scalarise(const std::vector<llvm::Function*>& functions, llvm::TargetMachine& machine) {
    Pipeline pipeline(machine);
    llvm::ScalarizerPassOptions options;
    options.ScalarizeLoadStore = true;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::ScalarizerPass(options));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::EarlyCSEPass());
    for (llvm::Function* function : functions) {
        pipeline.run(passes, *function);
    }
}

void markSimplified(llvm::Function& function) {
    function.addFnAttr(simplifiedMark);
}

void optimise(llvm::Module& flat, llvm::TargetMachine& machine, int level) {
    Pipeline pipeline(machine);
    bool isDone = level > 1;
    if (isDone) {
        llvm::FunctionPassManager finish = finishingPasses(level);
        pipeline.run(llvm::InferFunctionAttrsPass(), flat); // of functions of the C library
        for (llvm::Function& function : flat) {
            const bool isSimplified = function.hasFnAttribute(simplifiedMark);
            isDone = isDone && (isSimplified || function.isDeclaration());
            if (isSimplified && !function.isDeclaration()) {
                pipeline.run(finish, function);
                function.addFnAttr(llvm::Attribute::OptimizeNone); // nobody touches it again
                function.addFnAttr(llvm::Attribute::NoInline);
            }
        }
    }
    if (!isDone) {
        pipeline.run(level == 0 ? pipeline.builder().buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                : pipeline.builder().buildPerModuleDefaultPipeline(levelOf(level)),
                     flat);
    }
    if (level > 1) {
        for (llvm::Function& function : flat) { // the code generator does
            function.removeFnAttr(llvm::Attribute::OptimizeNone);
        }
    }
}

Result<void> emitObject(llvm::Module& flat, llvm::TargetMachine& machine, const std::filesystem::path& path) {
    std::error_code problem;
    llvm::raw_fd_ostream out(path.string(), problem, llvm::sys::fs::OF_None);
    if (problem) {
        return infrastructureError(problem.message(), path.string());
    }
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile)) {
        return infrastructureError("the code generator cannot write objects", "LLVM");
    }
    passes.run(flat);
    out.flush();
    if (out.has_error()) {
        const std::string message = out.error().message();
        out.clear_error();
        return infrastructureError(message, path.string());
    }
    return {};
}

} // namespace gks::hipcpu
