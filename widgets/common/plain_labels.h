// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// From here on every label, message and tooltip of the program shows its text as it is. Qt guesses by default whether a
// text is HTML, so a title from a campaign file could draw pictures of this machine's disk or dress up as something
// else. Who wants rich text says so (setTextFormat), and escapes what comes from elsewhere. Once is enough.
void makeLabelsPlain();

} // namespace gks
