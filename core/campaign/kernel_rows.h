// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/campaign/types.h"

#include <functional>
#include <string>

namespace gks {

// Kernels as the file has them, without their long texts, for each row that `where` finds ("WHERE k.id = ?"), in a file
// of whatever schema. Times are weighted as the campaign does.
Result<void> readKernelRows(const Database& database, std::int64_t schema, const ShapeWeights& weights,
                            const std::string& where, std::initializer_list<Value> values,
                            const std::function<Result<void>(Kernel)>& take);

} // namespace gks
