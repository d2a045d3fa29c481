// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/campaign/types.h"

namespace gks {

// The index of the words of kernels (kernel_words, FTS5). It has no content of its own and is kept up by the store.
Result<void> indexKernel(Database& database, KernelId id, std::string_view title, std::string_view author,
                         std::string_view source);
Result<std::vector<KernelId>> indexedKernels(const Database& database, std::string_view words, int limit);
// The same in a file without an index, kernel by kernel, until `limit` are found.
Result<std::vector<KernelId>> scannedKernels(const Database& database, std::string_view words, int limit);
// Every kernel of a file that had no index.
Result<void> fillKernelWords(Database& database);

} // namespace gks
