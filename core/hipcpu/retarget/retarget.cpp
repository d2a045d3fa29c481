// SPDX-License-Identifier: GPL-3.0-or-later
// The retargeter: clang's device IR for gfx942 becomes host code. The order of the stages matters:
//   check      what a CPU cannot do is refused while source lines are still known;
//   flatten    one address space;
//   lower      target intrinsics become calls of the device library, which is then linked in;
//   inline     everything into one function per kernel, except recursion, function pointers and cross-lane functions;
//   in step    lanes of a wave meet where their accesses to LDS may depend on each other's;
//   tell       where a module is for the race detector, every access to memory that others may touch is told before it;
//   bind       thread index, block and LDS become parameters; cross-lane functions get their sites; what is still
//   called
//              through a pointer is asked for;
//   part       each kernel becomes a module of its own; what follows is done side by side, for those that changed;
//   loop       kernels whose threads come together to the block's synchronisations get loops over threads;
//   optimise   LLVM's own pipeline for this CPU, then object code, in pieces of a kernel.
// Everything before `loop` costs a few hundredths of a second for a typical kernel file.
#include "core/hipcpu/retarget/retarget.h"

#include "core/base/elapsed.h"
#include "core/base/text.h"
#include "core/hipcpu/lowered_names.h"
#include "core/hipcpu/retarget/accesses.h"
#include "core/hipcpu/retarget/assembly/inline_assembly.h"
#include "core/hipcpu/retarget/bfloat.h"
#include "core/hipcpu/retarget/block_loop.h"
#include "core/hipcpu/retarget/compiled_parts.h"
#include "core/hipcpu/retarget/device_calls.h"
#include "core/hipcpu/retarget/diagnostic_keeper.h"
#include "core/hipcpu/retarget/fences.h"
#include "core/hipcpu/retarget/fibre_turns.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/half.h"
#include "core/hipcpu/retarget/host_code.h"
#include "core/hipcpu/retarget/indirect_calls.h"
#include "core/hipcpu/retarget/kernel.h"
#include "core/hipcpu/retarget/kernel_parts.h"
#include "core/hipcpu/retarget/lds.h"
#include "core/hipcpu/retarget/lockstep.h"
#include "core/hipcpu/retarget/module_table.h"
#include "core/hipcpu/retarget/products.h"
#include "core/hipcpu/retarget/source_check.h"
#include "core/hipcpu/retarget/verified.h"
#include "core/hipcpu/retarget/waiting_loops.h"
#include "core/hipcpu/retarget/whole_numbers.h"
#include "core/hipcpu/retarget/written_arguments.h"

#include <chrono>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace gks::hipcpu {
namespace {

// Who reads a module with line tables has it verified first, and that ends the process where the module is not valid.
void readInvalidModules() {
    static const bool isOff = [] {
        constexpr const char* name = "disable-auto-upgrade-debug-info";
        const auto option = llvm::cl::getRegisteredOptions().find(name);
        return option != llvm::cl::getRegisteredOptions().end() && !option->second->addOccurrence(0, name, "true");
    }();
    static_cast<void>(isOff);
}

Result<std::unique_ptr<llvm::Module>> readDevice(const std::filesystem::path& path, llvm::LLVMContext& context) {
    readInvalidModules();
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path.string(), problem, context);
    if (module == nullptr) {
        return infrastructureError("not LLVM 19 bitcode: " + problem.getMessage().str(), path.string());
    }
    if (const std::vector<std::string> refused = misfittingCalls(*module); !refused.empty()) {
        return kernelError(join(refused, "\n"));
    }
    std::string fault;
    llvm::raw_string_ostream stream(fault);
    bool hasInvalidLines = false;
    if (llvm::verifyModule(*module, &stream, &hasInvalidLines)) {
        return infrastructureError("the compiler made invalid IR: " + abbreviated(fault, 2000), path.string());
    }
    if (hasInvalidLines) {
        llvm::StripDebugInfo(*module);
    }
    return module;
}

Result<std::unique_ptr<llvm::Module>> readLibrary(const std::filesystem::path& path, llvm::LLVMContext& context) {
    static constexpr const char* next = "Install the cpu target files next to the program, or set GKS_HIPCPU";
    auto buffer = llvm::MemoryBuffer::getFile(path.string());
    if (!buffer) {
        return infrastructureError(buffer.getError().message(), path.string(), next);
    }
    auto module = llvm::getOwningLazyBitcodeModule(std::move(*buffer), context);
    if (!module) {
        return infrastructureError(llvm::toString(module.takeError()), path.string(), next);
    }
    return std::move(*module);
}

Result<void> check(llvm::Module& device, const llvm::Module& library, Architecture architecture) {
    std::vector<std::string> refused = translateInlineAssembly(device);
    for (std::string& message : refused) { // the assembler is LLVM 19's, see architecture.h
        if (architecture != Architecture::gfx942 && message.find("assembler says") != std::string::npos) {
            message += fmt::format("; of what {} adds use the builtins", nameOf(architecture));
        }
    }
    const std::vector<std::string> calls = unsupportedCalls(device, library, architecture);
    refused.insert(refused.end(), calls.begin(), calls.end());
    const std::vector<std::string> names = unusableNames(device);
    refused.insert(refused.end(), names.begin(), names.end());
    if (!refused.empty()) {
        return kernelError("error: " + join(refused, "\nerror: "));
    }
    return {};
}

Result<void> linkLibrary(llvm::Module& flat, std::unique_ptr<llvm::Module> library) {
    library->setTargetTriple(flat.getTargetTriple());
    library->setDataLayout(flat.getDataLayout());
    const auto internalise = [](llvm::Module& module, const llvm::StringSet<>& linked) {
        llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) {
            return !value.hasName() || !linked.contains(value.getName());
        });
    };
    if (llvm::Linker::linkModules(flat, std::move(library), llvm::Linker::LinkOnlyNeeded, internalise)) {
        return infrastructureError("the device library does not fit the kernel", "hipcpu_device.bc");
    }
    return {};
}

void markForInlining(llvm::Module& flat) {
    for (llvm::Function& function : flat) {
        if (function.isDeclaration()) {
            continue;
        }
        for (const char* attribute : {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width"}) {
            function.removeFnAttr(attribute);
        }
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        function.removeFnAttr(llvm::Attribute::NoInline);
        if (isLaneFunction(function)) {
            function.addFnAttr(llvm::Attribute::NoInline);
        } else if (!function.getName().starts_with("hipcpu_thread.")) {
            function.addFnAttr(llvm::Attribute::AlwaysInline);
        }
    }
}

// `restrict` on a kernel's pointers says nothing about what other threads do while this one waits.
void forgetScopesOfCalls(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (llvm::isa<llvm::CallBase>(instruction)) {
            instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
            instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
        }
    }
}

Result<void> bind(llvm::Module& flat, std::vector<Kernel>& kernels, Architecture architecture) {
    for (llvm::Function& function : flat) {
        if (!function.isDeclaration()) {
            function.removeFnAttr(llvm::Attribute::AlwaysInline);
            relaxFences(function);
        }
    }
    inlineLaneFunctions(flat);
    for (Kernel& kernel : kernels) {
        forgetScopesOfCalls(*kernel.thread);
        bindContext(*kernel.thread);
        loadArgumentsOnce(*kernel.thread, kernel.thread->getArg(0), nullptr);
        tagLdsAccesses(*kernel.thread);
    }
    return bindLds(flat, kernels, ldsLimitBytes(architecture));
}

std::vector<KernelSummary> summaries(const std::vector<Kernel>& kernels, Architecture architecture) {
    std::vector<KernelSummary> result;
    for (const Kernel& kernel : kernels) {
        KernelSummary summary{kernel.name,
                              readableName(kernel.name),
                              {},
                              kernel.maxThreadsPerBlock,
                              kernel.staticLdsBytes,
                              ldsLimitBytes(architecture),
                              kernel.usesDynamicLds};
        for (const KernelArgument& argument : kernel.arguments) {
            summary.arguments.push_back(argument.summary);
        }
        result.push_back(std::move(summary));
    }
    return result;
}

std::vector<VariableSummary> variablesOf(const llvm::Module& device) {
    constexpr unsigned constantAddressSpace = 4;
    std::vector<VariableSummary> variables;
    for (const llvm::GlobalVariable& variable : device.globals()) {
        if (variable.isExternallyInitialized()) {
            variables.push_back({variable.getName().str(),
                                 device.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue(),
                                 variable.getAddressSpace() == constantAddressSpace});
        }
    }
    return variables;
}

// What the variables of hipRTC's name expressions hold. They are gone afterwards.
std::vector<std::string> takeLoweredNames(llvm::Module& device) {
    std::vector<std::string> names;
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(device.globals())) {
        llvm::StringRef number = variable.getName();
        if (number.consume_front(loweredNamePrefix) && variable.hasInitializer()) {
            const llvm::Value* const named = variable.getInitializer()->stripPointerCasts();
            names.push_back(fmt::format("{} {}", number.str(), named->getName().str()));
            llvm::removeFromUsedLists(device, [&](const llvm::Constant* one) { return one == &variable; });
            variable.eraseFromParent();
        }
    }
    return names;
}

} // namespace

Result<RetargetOutcome> retarget(const std::filesystem::path& deviceBitcode, const std::filesystem::path& folder,
                                 const std::string& stem, const RetargetOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    RetargetOutcome outcome;
    llvm::LLVMContext context;
    const DiagnosticKeeper diagnostics(context);

    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(options.optimisationLevel));
    GKS_TRY_ASSIGN(std::unique_ptr<llvm::Module> device, readDevice(deviceBitcode, context));
    GKS_TRY_ASSIGN(std::unique_ptr<llvm::Module> library, readLibrary(options.deviceLibrary, context));
    outcome.loweredNames = takeLoweredNames(*device);
    keepReachable(*device);
    GKS_TRY(check(*device, *library, options.architecture));
    if (!options.tellsAccesses) { // who tells says where, and has no use for it afterwards
        llvm::StripDebugInfo(*device);
    }

    outcome.variables = variablesOf(*device);
    std::vector<Kernel> kernels = kernelsOf(*device);
    const std::unique_ptr<llvm::Module> flat = flattened(std::move(device), machine->getTargetTriple().str(),
                                                         machine->createDataLayout(), options.tellsAccesses);
    lowerDeviceCalls(*flat, options.architecture);
    lowerBfloats(*flat);
    saturateWholeNumbers(*flat);
    makeThreadFunctions(*flat, kernels);
    lowerFenceCalls(*flat);
    prepareWavesInStep(*flat);
    GKS_TRY(verified(*flat, "flattening"));
    GKS_TRY(linkLibrary(*flat, std::move(library)));
    GKS_TRY(adoptLibrarySignatures(*flat));
    markForInlining(*flat);
    inlineEverything(*flat, *machine);
    fuseProducts(*flat);
    if (!computesHalves(*machine)) {
        lowerHalves(*flat);
    }
    for (Kernel& kernel : kernels) {
        kernel.waitsForOthers = waitsForOthers(*kernel.thread);
    }
    bindM0(*flat);
    keepWavesInStep(*flat);
    if (options.tellsAccesses) {
        tellAccesses(*flat, options.systemFolders);
        for (Kernel& kernel : kernels) {
            kernel.writtenArguments = writtenArguments(*kernel.thread);
        }
        llvm::StripDebugInfo(*flat);
    }
    tidy(*flat, *machine);
    GKS_TRY(bind(*flat, kernels, options.architecture));
    guardIndirectCalls(*flat);
    const BlockOptions blocks{options.optimisationLevel, options.inStrips, options.tellsAccesses};
    makeItemFunctions(kernels, blocks);
    meetAtTurns(*flat);
    const std::string unit = unitHash(options.compilationUnitId);
    const bool isOnePart = !options.irPath.empty(); // whoever wants to read the IR wants it in one piece
    if (isOnePart) {
        makeBlockFunctions(kernels, *machine, blocks);
    } else {
        declareBlockFunctions(*flat, kernels, unit);
    }
    emitModuleTable(*flat, kernels, unit, options.architecture);
    GKS_TRY(verified(*flat, "retargeting"));
    if (!diagnostics.text().empty()) {
        return kernelError(diagnostics.text());
    }
    outcome.kernels = summaries(kernels, options.architecture);
    const std::vector<DevicePart> parts =
        isOnePart ? std::vector<DevicePart>{{bitcodeOf(*flat)}} : partsOf(*flat, kernels, unit);
    outcome.prepareSeconds = secondsSince(begin);
    GKS_TRY_ASSIGN(CompiledParts compiled,
                   compileParts(parts, folder, stem, {blocks, options.cacheFolder, options.irPath}));
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        outcome.kernels[i].loops = isOnePart ? kernels[i].block != nullptr : compiled.loops[i + 1];
    }
    outcome.objects = std::move(compiled.objects);
    outcome.optimiseSeconds = compiled.optimiseSeconds;
    outcome.emitSeconds = compiled.emitSeconds;
    return outcome;
}

} // namespace gks::hipcpu
