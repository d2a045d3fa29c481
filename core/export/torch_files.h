// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/c_interface.h"
#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

// PyTorch: an extension that is installed or compiled in place, and the same for Hugging Face's kernel-builder.
namespace gks {

enum class BindingKind { extension, hub, benchmark };

// The C++ between torch tensors and the C interface. `benchmark`: one function run(inputs..., outputs...).
Result<std::string> torchBinding(const ExportedKernel& kernel, BindingKind kind);
// The wrapper that draws extents from the tensors and makes the outputs.
Result<std::string> pythonWrapper(const ExportedKernel& kernel, BindingKind kind);

Result<BundleFiles> torchFiles(const ExportedKernel& kernel, const CInterfaceOptions& options);
Result<BundleFiles> hubFiles(const ExportedKernel& kernel, const CInterfaceOptions& options);

} // namespace gks
