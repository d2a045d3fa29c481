// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// What evaluator and runner say to each other: fixed-size records on two pipes, shorter than PIPE_BUF so that each is
// written at once, and two segments of shared memory. The runner shares its process with the candidate, so nothing that
// it says is evidence: outputs are compared and time is taken by the evaluator.
namespace gks::runner {

// Descriptors of the runner process.
inline constexpr int commandDescriptor = 3;
inline constexpr int replyDescriptor = 4;
inline constexpr int inputDescriptor =
    5; // values of inputs, pattern of guard bands, poison of outputs; sealed, cannot be mapped writable
inline constexpr int outputDescriptor = 6; // what was read back

inline constexpr std::size_t tensorLimit = 16;
inline constexpr std::size_t dimLimit = 8;
inline constexpr std::size_t guardBytes = 4096; // before and after every allocation; keeps page alignment
inline constexpr std::size_t textLimitBytes = 256;
inline constexpr std::size_t readsLimitBytes = 1024;
inline constexpr std::size_t tensorNameBytes = 24; // of a tensor, with its end

inline constexpr std::size_t heldBytesLimit = std::size_t{64} << 10;
inline constexpr std::size_t heldStep = 256; // keeps every element whole
inline constexpr std::size_t poisonBytes = 4096;

// The input segment begins with the pattern of all guard bands.
inline constexpr std::size_t guardOffset = 0;

enum class Verb : std::uint32_t {
    pin,     // both segments; on a GPU, before `load`
    load,    // the candidate's shared object
    shape,   // allocate buffers of one shape, ask for the workspace
    values,  // bring the values that the input segment holds for this shape to the device
    prepare, // put the next call's inputs together from them, poison outputs, restore guard bands, spoil the workspace;
             // flush the cache if the host does it
    call,    // solve() between two events and a device-wide synchronise; on a GPU behind the flush of the cache and the
             // last of the inputs; before `load` an empty call, to calibrate
    download, // outputs
    snapshot, // all buffers with their guard bands, then the workspace's two bands
    quit,
};

// One buffer: guard band, data, and a second band unless the buffer ends with the tensor. `offset` is the place of the
// whole in the output segment. In the input segment lie: of an input its values, as many as a call needs or more, and
// the piece that the next call brings; of an output the pattern that it is poisoned with.
struct Place {
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

struct Command {
    std::uint64_t sequence = 0; // unpredictable; the reply repeats it
    Verb verb = Verb::quit;
    std::uint32_t tensorCount = 0;
    std::uint32_t dimCount = 0;
    std::uint32_t flushOnDevice = 0; // a fill of device memory instead of a sweep by the host
    std::uint64_t flushBytes = 0;
    std::uint64_t workspaceLimitBytes = 0;
    std::uint64_t workspaceOffset = 0; // of its bands in the output segment
    std::uint32_t spoilByte = 0;
    std::uint32_t reserved = 0;
    std::array<std::int32_t, dimLimit> dims = {};
    std::array<Place, tensorLimit> places = {};                            // of `shape`
    std::array<std::array<char, tensorNameBytes>, tensorLimit> names = {}; // likewise, for what the library reports
    std::array<Window, tensorLimit> windows = {};                          // of `prepare`
};

enum class Failure : std::uint32_t {
    none,
    runtime,     // the device library refused something that the runner itself asked for
    load,        // the candidate cannot be loaded or has no solve()
    workspace,   // workspace_bytes() asked for more than there is
    kernelError, // solve() returned an error
    deviceFault, // an error showed at the synchronise after solve()
    protocol,
};

struct Reply {
    std::uint64_t sequence = 0;
    Failure failure = Failure::none;
    std::int32_t status = 0; // hipError_t
    double eventUs = 0;      // of `call`
    double processorUs = 0;  // of `call`: processor time of all threads; 0 where the next is not known
    double hostCodeUs = 0;   // of `call`: processor time of solve() outside the runtime library (cpu target)
    std::uint64_t workspaceBytes = 0;
    std::array<char, textLimitBytes> text = {};
    std::array<char, readsLimitBytes> reads = {}; // of `call`: those past the end of a buffer, one a line
};
static_assert(sizeof(Command) <= 4096 && sizeof(Reply) <= 4096, "records are written atomically");

} // namespace gks::runner
