// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gks::hipcpu {

// The type with other elements, where it is a vector, else that one.
llvm::Type* withElement(llvm::Type* type, llvm::Type* element);

// A double as a float, rounded to odd: whoever rounds it further to a type of less than 23 bits gets what one rounding
// would have given.
llvm::Value* oddFloat(llvm::IRBuilder<>& builder, llvm::Value* from);

} // namespace gks::hipcpu
