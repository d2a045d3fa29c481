// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/schema_sketches.h"

#include "core/campaign/kernel_texts.h"
#include "core/campaign/kernel_words.h"
#include "core/campaign/source_sketch.h"

#include <vector>

namespace gks {

Result<void> fillSketches(Database& database) {
    struct Indexed {
        KernelId id;
        std::string title;
        std::string author;
    };
    std::vector<Indexed> kernels;
    GKS_TRY(database.each("SELECT id, title, author FROM kernel ORDER BY id", {}, [&](const Row& row) -> Result<void> {
        kernels.push_back({row.integer(0), row.text(1), row.text(2)});
        return {};
    }));
    const TextFrames frames;
    for (const Indexed& kernel : kernels) {
        if (const auto source = readSource(database, frames, kernel.id)) {
            const std::string sketch = packedSketch(sketchOf(sourceShingles(*source)));
            GKS_TRY(database.run("UPDATE kernel SET sketch = ? WHERE id = ?", {Blob{sketch}, kernel.id}));
            GKS_TRY(indexKernel(database, kernel.id, kernel.title, kernel.author, *source));
        }
    }
    return {};
}

} // namespace gks
