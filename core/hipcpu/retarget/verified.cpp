// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/verified.h"

#include "core/base/text.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <string>

namespace gks::hipcpu {

Result<void> verified(const llvm::Module& module, const char* stage) {
    std::string fault;
    llvm::raw_string_ostream stream(fault);
    if (llvm::verifyModule(module, &stream)) {
        return infrastructureError(std::string("invalid IR after ") + stage + ": " + abbreviated(fault, 2000),
                                   "retargeter", "Please report this with the kernel");
    }
    return {};
}

} // namespace gks::hipcpu
