// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/spend_json.h"

#include <nlohmann/json.hpp>

namespace gks {

OrderedJson toJson(const Spend& spend) {
    return {{"evaluations", spend.evaluations},
            {"tokens", spend.tokens},
            {"usd", spend.usd},
            {"unpriced_tokens", spend.unpricedTokens},
            {"gpu_seconds", spend.gpuSeconds},
            {"wall_seconds", spend.wallSeconds}};
}

} // namespace gks
