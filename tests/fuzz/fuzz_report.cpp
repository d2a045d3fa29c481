// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/report/manifest.h"
#include "core/report/markup.h"
#include "core/report/redaction.h"
#include "tests/fuzz/fuzz.h"

using gks::fuzz::require;

namespace {

constexpr const char* secret = "s3cret-of-the-fuzzer";

const gks::Redaction& redaction() {
    static const gks::Redaction here = [] {
        ::setenv("GKS_FUZZ_KEY", secret, 1);
        return gks::Redaction::forThisMachine();
    }();
    return here;
}

} // namespace

// What goes into a report and what comes with a bundle: no markup, no key, no path out of the folder.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    require(gks::htmlEscaped(text).find_first_of("<>\"'") == std::string::npos, "no markup in HTML");
    const std::string line = gks::markdownEscaped(text);
    require(line.find_first_of("\n\r<") == std::string::npos, "Markdown of one line without tags");
    const std::string cleaned = redaction().text(text + secret + text);
    require(!redaction().holdsSecret(cleaned), "a key does not get through");
    require(gks::sanitizedUtf8(cleaned) == cleaned, "UTF-8");
    if (const auto manifest = gks::manifestFromText(text)) {
        require(manifest->text() == text, "a manifest has one text");
        for (const gks::ManifestEntry& entry : manifest->files) {
            require(gks::isBundlePath(entry.path), "only paths of a bundle");
        }
    }
    if (gks::isBundlePath(text)) {
        require(text.front() != '/' && text.find("..") != 0 && text.find("/.") == std::string::npos,
                "a path stays in its folder");
    }
    return 0;
}
