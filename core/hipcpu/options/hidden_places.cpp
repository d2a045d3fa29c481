// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/options/hidden_places.h"

namespace gks::hipcpu {

std::vector<std::string> hiddenPlaceOptions(const std::filesystem::path& folder) {
    return {"-Xclang", "-fno-diagnostics-use-presumed-location", "-fmacro-prefix-map=" + folder.string() + "/="};
}

} // namespace gks::hipcpu
