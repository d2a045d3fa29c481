// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/findings/finding.h"

namespace gks::hipcpu {
namespace {

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

std::string accessText(const Finding& finding) {
    const char* const verb = finding.access == Finding::Access::read    ? "read"
                             : finding.access == Finding::Access::write ? "write"
                                                                        : "atomic update";
    std::string text = std::string(verb) + " of " + number(finding.bytes) + (finding.bytes == 1 ? " byte" : " bytes");
    return finding.name.empty() ? text : text + " of '" + finding.name + "'";
}

std::string inside(const Finding& finding) {
    return finding.memory.empty()
               ? std::string()
               : ", " + number(static_cast<std::uint64_t>(finding.offset)) + " bytes into " + finding.memory;
}

// Where an access lies that is not whole within its memory.
std::string distance(const Finding& finding) {
    const auto end = static_cast<std::int64_t>(finding.memoryBytes);
    if (finding.offset < 0) {
        return number(static_cast<std::uint64_t>(-finding.offset)) + " bytes before the start of " + finding.memory;
    }
    if (finding.offset < end) {
        const std::uint64_t past = static_cast<std::uint64_t>(finding.offset) + finding.bytes - finding.memoryBytes;
        return "across the end, by " + number(past) + " bytes, of " + finding.memory;
    }
    const auto past = static_cast<std::uint64_t>(finding.offset - end);
    return (past == 0 ? "right past the end of " : number(past) + " bytes past the end of ") + finding.memory;
}

std::string behind(const char* word, const SourcePlace& place) {
    const std::string text = placeText(place);
    return text.empty() ? std::string() : word + text;
}

std::string raceText(const Finding& finding) {
    const std::string verb = finding.otherWrites ? "writes" : "reads";
    std::string text = finding.kind == FindingKind::lostUpdate
                           ? "lost update: " + accessText(finding) + inside(finding) +
                                 ", of what was made of the value there; so does " + finding.other
                           : "race: " + accessText(finding) + inside(finding) + ", which " + finding.other + " " + verb;
    text += behind(" at ", finding.otherPlace);
    return text + (finding.kind == FindingKind::lostUpdate ? ", in two steps and without waiting"
                   : finding.isInOneBlock                  ? "; no barrier is between them"
                                                           : "; no atomic orders them");
}

} // namespace

std::string_view name(FindingKind kind) {
    switch (kind) {
    case FindingKind::outside:
        return "outside";
    case FindingKind::freed:
        return "freed";
    case FindingKind::unwritten:
        return "unwritten";
    case FindingKind::misaligned:
        return "misaligned";
    case FindingKind::race:
        return "race";
    case FindingKind::lostUpdate:
        return "lost-update";
    case FindingKind::partedBarrier:
        return "parted-barrier";
    case FindingKind::endless:
        return "endless";
    }
    return "unknown";
}

std::string placeText(const SourcePlace& place) {
    if (place.file.empty() || place.line == 0) {
        return {};
    }
    return place.file + ":" + number(place.line) + (place.column > 0 ? ":" + number(place.column) : "");
}

std::string indexText(const std::array<std::uint32_t, 3>& index) {
    return "(" + number(index[0]) + "," + number(index[1]) + "," + number(index[2]) + ")";
}

std::string whatText(const Finding& finding) {
    switch (finding.kind) {
    case FindingKind::outside:
        return accessText(finding) + " " + distance(finding);
    case FindingKind::freed:
        return accessText(finding) + inside(finding) + ", which has been freed";
    case FindingKind::unwritten:
        return accessText(finding) + " that nothing has written" + inside(finding);
    case FindingKind::misaligned:
        return accessText(finding) + " at an address that is no multiple of " + number(finding.alignment) +
               inside(finding);
    case FindingKind::race:
    case FindingKind::lostUpdate:
        return raceText(finding);
    case FindingKind::partedBarrier:
        return "lanes of one wave wait at two barriers" + behind(", the other at ", finding.otherPlace);
    case FindingKind::endless:
        return "no end after " + number(finding.seconds) + " s";
    }
    return "an unknown fault";
}

std::string findingText(const Finding& finding) {
    std::string text = whatText(finding) + "; kernel " + finding.kernel + " block " + indexText(finding.block);
    text += finding.hasThread ? " thread " + indexText(finding.thread) : " wave " + number(finding.wave);
    const std::string place = placeText(finding.place);
    return text + (place.empty() ? ", at an unknown line: build with -g" : ", at " + place);
}

} // namespace gks::hipcpu
