// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::oracle {

// The whole of kernel-scientist-oracle: loads a pack's compiled reference and answers until the channel ends.
int run(const char* library);

} // namespace gks::oracle
