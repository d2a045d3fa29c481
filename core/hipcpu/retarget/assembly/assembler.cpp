// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM has no names for the operands of its form of an instruction outside its own sources; what it prints of that form
// has one notation for each, whatever the notation of the source was. So the text goes through the assembler and the
// printer, and what is read here is the printed one.
#include "core/hipcpu/retarget/assembly/assembler.h"

#include "core/base/text.h"
#include "core/hipcpu/retarget/assembly/labels.h"

#include <fmt/format.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <memory>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace gks::hipcpu {
namespace {

constexpr std::size_t assemblyLimitBytes = 64 << 10;
constexpr std::size_t assemblyInstructionLimit = 2048;
constexpr const char* assemblyTriple = "amdgcn-amd-amdhsa";
constexpr const char* assemblyProcessor = "gfx942";

// Keeps instructions; nothing is encoded.
class InstructionKeeper final : public llvm::MCStreamer {
public:
    explicit InstructionKeeper(llvm::MCContext& context) : MCStreamer(context) {}
    bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
    void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
    void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, std::uint64_t, llvm::Align, llvm::SMLoc) override {}
    void emitInstruction(const llvm::MCInst& instruction, const llvm::MCSubtargetInfo&) override {
        kept.push_back(instruction);
    }

    std::vector<llvm::MCInst> kept;
};

void keepProblem(const llvm::SMDiagnostic& diagnostic, void* text) {
    std::string& problem = *static_cast<std::string*>(text);
    if (problem.empty() && diagnostic.getKind() == llvm::SourceMgr::DK_Error) {
        problem = fmt::format("{}: \"{}\"", diagnostic.getMessage().str(),
                              abbreviated(trimmed(std::string_view(diagnostic.getLineContents())), 200));
    }
}

std::string withoutComments(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "/*") {
            const std::size_t end = text.find("*/", i + 2);
            plain += ' ';
            i = end == std::string_view::npos ? text.size() : end + 1;
        } else if (text[i] == ';' || text.substr(i, 2) == "//") {
            const std::size_t end = text.find('\n', i);
            plain += '\n';
            i = end == std::string_view::npos ? text.size() : end;
        } else {
            plain += text[i] == '\r' || text[i] == '\t' ? ' ' : text[i];
        }
    }
    return plain;
}

// A name, and blanks or nothing behind it: neither a directive nor a label nor an assignment.
bool isInstructionLine(std::string_view line) {
    std::size_t end = 0;
    while (end < line.size() && ((line[end] >= 'a' && line[end] <= 'z') || (line[end] >= 'A' && line[end] <= 'Z') ||
                                 (line[end] >= '0' && line[end] <= '9') || line[end] == '_')) {
        ++end;
    }
    const std::string_view rest = trimmed(line.substr(end));
    return end > 0 && (end == line.size() || line[end] == ' ') && !rest.starts_with('=') && !rest.starts_with(':');
}

const llvm::Target* amdTarget() {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeAMDGPUTargetInfo();
        LLVMInitializeAMDGPUTargetMC();
        LLVMInitializeAMDGPUAsmParser();
    });
    std::string problem;
    return llvm::TargetRegistry::lookupTarget(assemblyTriple, problem);
}

AssemblyInstruction readable(const llvm::MCInst& instruction, llvm::MCInstPrinter& printer,
                             const llvm::MCInstrInfo& names, const llvm::MCSubtargetInfo& processor) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printer.printInst(&instruction, 0, "", processor, stream);
    AssemblyInstruction result = instructionOfText(stream.str(), names.getName(instruction.getOpcode()).str());
    for (const llvm::MCOperand& operand : instruction) {
        if (operand.isImm()) {
            result.immediates.push_back(operand.getImm());
        }
    }
    return result;
}

void assemble(const std::string& text, Assembled& result) {
    const llvm::Target* target = amdTarget();
    if (target == nullptr) {
        result.problem = "this LLVM has no assembler for AMD's processors";
        return;
    }
    const llvm::Triple triple(assemblyTriple);
    const llvm::MCTargetOptions options;
    const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(assemblyTriple));
    const std::unique_ptr<llvm::MCAsmInfo> notation(target->createMCAsmInfo(*registers, assemblyTriple, options));
    const std::unique_ptr<llvm::MCInstrInfo> names(target->createMCInstrInfo());
    const std::unique_ptr<llvm::MCSubtargetInfo> processor(
        target->createMCSubtargetInfo(assemblyTriple, assemblyProcessor, ""));
    llvm::SourceMgr source;
    source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
    source.setDiagHandler(keepProblem, &result.problem);
    llvm::MCContext context(triple, notation.get(), registers.get(), processor.get(), &source, &options, false);
    context.setDiagnosticHandler([&](const llvm::SMDiagnostic& diagnostic, bool, const llvm::SourceMgr&,
                                     std::vector<const llvm::MDNode*>&) { keepProblem(diagnostic, &result.problem); });
    const std::unique_ptr<llvm::MCObjectFileInfo> file(target->createMCObjectFileInfo(context, false));
    context.setObjectFileInfo(file.get());
    InstructionKeeper keeper(context);
    target->createNullTargetStreamer(keeper);
    const std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(source, context, keeper, *notation));
    const std::unique_ptr<llvm::MCTargetAsmParser> instructions(
        target->createMCAsmParser(*processor, *parser, *names, options));
    parser->setTargetParser(*instructions);
    keeper.initSections(false, *processor);
    const bool failed = parser->Run(true);
    if (failed || !result.problem.empty()) {
        result.problem = "gfx942's assembler says: " + (result.problem.empty() ? "invalid" : result.problem);
        return;
    }
    const std::unique_ptr<llvm::MCInstPrinter> printer(
        target->createMCInstPrinter(triple, notation->getAssemblerDialect(), *notation, *names, *registers));
    for (const llvm::MCInst& instruction : keeper.kept) {
        result.instructions.push_back(readable(instruction, *printer, *names, *processor));
    }
}

} // namespace

Assembled assembled(std::string_view text) {
    Assembled result;
    if (text.size() > assemblyLimitBytes) {
        result.problem = fmt::format("it is longer than {} bytes", assemblyLimitBytes);
        return result;
    }
    const std::string plain = withoutComments(text);
    std::string instructions;
    std::size_t count = 0;
    AssemblyLabels labels;
    for (std::string_view line : lines(plain)) {
        line = labels.withoutLabels(trimmed(line), count);
        if (line.empty()) {
            continue;
        }
        if (!isInstructionLine(line)) {
            result.problem = fmt::format("\"{}\" is no instruction", abbreviated(line, 200));
            return result;
        }
        instructions.append(labels.withoutTarget(line, count)).append("\n");
        ++count;
    }
    if (count > assemblyInstructionLimit) {
        result.problem = fmt::format("it has more than {} instructions", assemblyInstructionLimit);
    } else if (count > 0) {
        assemble(instructions, result);
        if (result.problem.empty() && result.instructions.size() != count) {
            result.problem = "a line of it is no instruction";
        }
    }
    for (const auto& [jump, target] : labels.targets()) {
        if (jump < result.instructions.size()) {
            result.instructions[jump].target = target;
        }
    }
    if (result.problem.empty()) {
        result.problem = labels.problem();
    }
    return result;
}

} // namespace gks::hipcpu
