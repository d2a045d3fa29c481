// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// What evaluator and runner of a GPU say to each other: fixed-size records on two pipes, shorter than PIPE_BUF so that
// each is written at once, behind some commands a text, and two segments of shared memory. The runner holds no host
// code of a candidate, but device code may reach what its process has pinned: nothing that it says is evidence. Outputs
// are compared and time is taken by the evaluator as well.
namespace gks::runner {

// Descriptors of the runner process.
inline constexpr int commandDescriptor = 3;
inline constexpr int replyDescriptor = 4;
inline constexpr int inputDescriptor =
    5; // values of inputs, pattern of guard bands, poison of outputs; sealed, cannot be mapped writable
inline constexpr int outputDescriptor = 6; // what was read back

inline constexpr std::size_t tensorLimit = 16;
inline constexpr std::size_t dimLimit = 8;
inline constexpr std::size_t guardBytes = 4096; // before and after every tensor; keeps page alignment
inline constexpr std::size_t textLimitBytes = 512;
inline constexpr std::size_t textBehindLimitBytes = std::size_t{256} << 20; // a device code object

inline constexpr std::size_t heldBytesLimit = std::size_t{64} << 10;
inline constexpr std::size_t heldStep = 256; // keeps every element whole
inline constexpr std::size_t poisonBytes = 4096;
inline constexpr std::size_t pieceLimit = 64; // of one `probe`

// The input segment begins with the pattern of all guard bands.
inline constexpr std::size_t guardOffset = 0;

// Where memory lies on the device: the same in every process, so that a plan made for one of them is one for all. Each
// area has rights of its own.
inline constexpr std::uint64_t areaBytes = std::uint64_t{128} << 30;
inline constexpr std::uint64_t inputArea = 0x6b3d00000000;         // device code reads it
inline constexpr std::uint64_t outputArea = inputArea + areaBytes; // outputs and workspace
inline constexpr std::uint64_t sourceArea =
    outputArea + areaBytes; // what inputs are drawn from, and where they are written: not for device code
inline constexpr std::uint64_t reservedBytes = 4 * areaBytes;
inline constexpr std::uint64_t mapStepBytes = std::uint64_t{2} << 20;
// Where the band before the next buffer begins.
constexpr std::uint64_t nextOnDevice(std::uint64_t address, std::uint64_t dataBytes) {
    return (address + dataBytes + guardBytes + mapStepBytes - 1) / mapStepBytes * mapStepBytes;
}

enum class Verb : std::uint32_t {
    pin,  // both segments, before they are used
    load, // a device code object, which follows; what was loaded before is unloaded. Of an anchor its library, which
          // was named when the process started; nothing follows
    workspace, // of an anchor: how much its solve() needs for the struct Problem that follows
    shape,     // fresh memory for one shape; the plans (opening.h) follow. Runs the setup. For an anchor struct Problem
               // follows, in hexadecimal digits
    values,    // bring the input segment of this shape to the device
    prepare,   // put the next call's inputs together from it, poison outputs, restore guard bands and variables, spoil
               // the workspace; then take from device code what it may not reach
    call,      // behind the flush of the cache the plan, between two events, and a device-wide synchronise; without a
               // shape nothing, to calibrate
    download,  // outputs
    probe,     // pieces of outputs, each to its place in the output segment
    snapshot,  // all buffers with their guard bands, then the workspace's two bands
    unload,    // plan, memory and device code: ready for the next candidate
    quit,
};

// One buffer: guard band, data, and a second band unless the buffer ends with the tensor. `offset` is the place of the
// whole in the output segment. In the input segment lie: of an input its values, as many as a call needs or more, and
// the piece that the next call brings; of an output the pattern that it is poisoned with.
struct Place {
    std::uint64_t address = 0; // of the data on the device, in the area of inputs or outputs
    std::uint64_t offset = 0;
    std::uint64_t dataBytes = 0;
    std::uint64_t sourceOffset = 0;
    std::uint64_t sourceBytes = 0;
    std::uint64_t pieceOffset = 0;
    std::uint32_t isOutput = 0;
    std::uint32_t bandBehindBytes = guardBytes; // or 0
};

// What the next call gets of an input: the values from `first` on, with those from `heldBegin` on replaced by the
// piece.
struct Window {
    std::uint64_t first = 0; // bytes
    std::uint64_t heldBegin = 0;
    std::uint64_t heldBytes = 0;
};

// Bytes of an output that the evaluator wants to see after a call; before it nobody but the evaluator knows which.
struct Piece {
    std::uint32_t tensor = 0;
    std::uint32_t bytes = 0;
    std::uint64_t begin = 0;
};

struct Command {
    std::uint64_t sequence = 0; // unpredictable; the reply repeats it
    Verb verb = Verb::quit;
    std::uint32_t tensorCount = 0;
    std::uint64_t textBytes = 0; // that follow
    std::uint64_t flushBytes = 0;
    std::uint64_t inputBytes = 0; // of the input segment that this shape uses
    std::uint64_t workspaceAddress = 0;
    std::uint64_t workspaceBytes = 0;
    std::uint64_t workspaceOffset = 0; // of its bands in the output segment
    std::uint32_t spoilByte = 0;
    std::uint32_t pieceCount = 0;
    std::array<Place, tensorLimit> places = {};   // of `shape`
    std::array<Window, tensorLimit> windows = {}; // of `prepare`
    std::array<Piece, pieceLimit> pieces = {};    // of `probe`
};

enum class Failure : std::uint32_t {
    none,
    runtime,     // the driver refused something that the runner itself asked for
    load,        // the driver does not take the device code, or it lacks what the plan names
    kernelError, // the driver refused an operation of the plan, or solve() of an anchor says that it failed
    deviceFault, // an error showed at the synchronise after it
    protocol,
};

struct Reply {
    std::uint64_t sequence = 0;
    Failure failure = Failure::none;
    std::int32_t status = 0;                    // the driver's
    double eventUs = 0;                         // of `call`
    std::uint64_t workspaceBytes = 0;           // of `workspace`
    std::array<char, textLimitBytes> text = {}; // what went wrong; of `load` the version of an anchor
};
static_assert(sizeof(Command) <= 4096 && sizeof(Reply) <= 4096, "records are written atomically");

} // namespace gks::runner
