// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/host_builtins.h"

#include "core/hipcpu/retarget/host_code.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

namespace gks::hipcpu {
namespace {

// To the nearest, halves to the even one; what is no number stays none. A double becomes a float first, toward zero
// and with a last bit that says whether something was lost: it cannot be rounded twice that way.
constexpr const char* conversionsToBf16 = R"(
define weak hidden bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %isNan = fcmp uno float %x, %x
  %quiet = or i32 %bits, 4194304
  %upper = lshr i32 %bits, 16
  %odd = and i32 %upper, 1
  %half = add i32 %bits, 32767
  %rounded = add i32 %half, %odd
  %chosen = select i1 %isNan, i32 %quiet, i32 %rounded
  %high = lshr i32 %chosen, 16
  %code = trunc i32 %high to i16
  %result = bitcast i16 %code to bfloat
  ret bfloat %result
}
declare double @llvm.fabs.f64(double)
define weak hidden bfloat @__truncdfbf2(double %x) {
  %nearest = fptrunc double %x to float
  %wide = fpext float %nearest to double
  %bits = bitcast float %nearest to i32
  %isExact = fcmp ueq double %wide, %x
  %size = call double @llvm.fabs.f64(double %x)
  %wideSize = call double @llvm.fabs.f64(double %wide)
  %isAbove = fcmp ogt double %wideSize, %size
  %step = sext i1 %isAbove to i32
  %towardZero = add i32 %bits, %step
  %marked = or i32 %towardZero, 1
  %chosen = select i1 %isExact, i32 %bits, i32 %marked
  %single = bitcast i32 %chosen to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}
)";

} // namespace

Result<void> emitHostBuiltins(const std::filesystem::path& object) {
    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(2));
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(conversionsToBf16, problem, context);
    if (module == nullptr) {
        return infrastructureError(problem.getMessage().str(), "builtins of host code");
    }
    module->setTargetTriple(machine->getTargetTriple().str());
    module->setDataLayout(machine->createDataLayout());
    return emitObject(*module, *machine, object);
}

} // namespace gks::hipcpu
