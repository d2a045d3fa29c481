// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/architecture.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gks::hipcpu {

// "name(int*)" of a mangled name.
std::string readableName(const std::string& mangled);

// Kernels of the module from which the function can be reached, by their readable names.
std::vector<std::string> kernelsUsing(const llvm::Function& function);

// Turns inline assembly into IR (see inline_assembly.h). One message "FILE:LINE: ..." for each statement that cannot be
// carried over.
std::vector<std::string> translateInlineAssembly(llvm::Module& device);

// One message for each builtin whose operands have types that it does not take: clang asks for those of few.
std::vector<std::string> misfittingCalls(const llvm::Module& device);

// One message for each function that the kernels call and that neither the retargeter nor the device library knows, or
// that the architecture has not.
std::vector<std::string> unsupportedCalls(const llvm::Module& device, const llvm::Module& deviceLibrary,
                                          Architecture architecture);

// One message for each variable that is declared and nowhere defined, and for each kernel or variable of the host whose
// symbol people could not read.
std::vector<std::string> unusableNames(const llvm::Module& device);

} // namespace gks::hipcpu
