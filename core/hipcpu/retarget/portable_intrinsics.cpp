// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/portable_intrinsics.h"

#include <algorithm>
#include <array>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <string_view>

namespace gks::hipcpu {
namespace {

// Without "llvm.", and without the types that some have behind a dot.
constexpr auto portable = std::to_array<std::string_view>(
    {// numbers
     "abs", "acos", "asin", "atan", "bitreverse", "bswap", "canonicalize", "ceil", "convert.from.fp16",
     "convert.to.fp16", "copysign", "cos", "cosh", "ctlz", "ctpop", "cttz", "exp", "exp10", "exp2", "fabs", "floor",
     "fma", "fmuladd", "fptosi.sat", "fptoui.sat", "fptrunc.round", "frexp", "fshl", "fshr", "is.fpclass", "ldexp",
     "llrint", "llround", "log", "log10", "log2", "lrint", "lround", "maximum", "maxnum", "minimum", "minnum",
     "nearbyint", "pow", "powi", "rint", "round", "roundeven", "sadd.sat", "sadd.with.overflow", "scmp", "sin", "sinh",
     "smax", "smin", "smul.fix", "smul.fix.sat", "smul.with.overflow", "sqrt", "sshl.sat", "ssub.sat",
     "ssub.with.overflow", "tan", "tanh", "trunc", "uadd.sat", "uadd.with.overflow", "ucmp", "umax", "umin", "umul.fix",
     "umul.fix.sat", "umul.with.overflow", "ushl.sat", "usub.sat", "usub.with.overflow",
     // vectors
     "masked.compressstore", "masked.expandload", "masked.gather", "masked.load", "masked.scatter", "masked.store",
     "matrix.column.major.load", "matrix.column.major.store", "matrix.multiply", "matrix.transpose", "vector.extract",
     "vector.insert", "vector.reduce", "vector.reverse", "vector.splice",
     // memory
     "lifetime.end", "lifetime.start", "memcpy", "memcpy.inline", "memmove", "memset", "memset.inline", "prefetch",
     "ptrmask",
     // what the compiler knows or is told
     "annotation", "arithmetic.fence", "assume", "dbg", "donothing", "expect", "expect.with.probability",
     "experimental.noalias.scope.decl", "invariant.end", "invariant.start", "is.constant", "launder.invariant.group",
     "objectsize", "ptr.annotation", "sideeffect", "ssa.copy", "strip.invariant.group", "var.annotation",
     // the time, the end, and arguments of functions like printf
     "debugtrap", "readcyclecounter", "readsteadycounter", "returnaddress", "trap", "ubsantrap", "va_copy", "va_end",
     "va_start"});

} // namespace

bool isPortable(const llvm::Function& intrinsic) {
    llvm::StringRef name = intrinsic.getName();
    return intrinsic.getIntrinsicID() != llvm::Intrinsic::not_intrinsic && name.consume_front("llvm.") &&
           std::any_of(portable.begin(), portable.end(), [name](llvm::StringRef one) {
               return name == one || (name.starts_with(one) && name[one.size()] == '.');
           });
}

} // namespace gks::hipcpu
