// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_module.h"
#include "core/hipcpu/runtime/memory_check.h"
#include "core/hipcpu/runtime/race_detector.h"
#include "core/hipcpu/runtime/worker_pool.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gks::hipcpu {

// What a call asks the device to do, made ready once and executed as often as wanted. There is no host interface of HIP
// in it. Operations run one after the other in the order in which they were added, on the calling thread and the
// pool's: one of the orders that streams and events allow (see DeviceQueue), so these need nothing of their own here.
class Replay {
public:
    explicit Replay(LoadedDeviceModule& module) : m_module(&module) {}

    using Bytes = std::vector<std::uint8_t>;
    // Each of these says what the module or the system lacks, or an empty text.
    std::string launch(const std::string& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
                       const std::vector<Bytes>& arguments, bool isCooperative = false);
    std::string copyToVariable(const std::string& name, std::uint64_t offset, std::uint64_t from, std::uint64_t bytes);
    std::string copyFromVariable(const std::string& name, std::uint64_t offset, std::uint64_t to, std::uint64_t bytes);
    std::string writeVariable(const std::string& name, std::uint64_t offset, const Bytes& bytes);

    // Elements of 1, 2 or 4 bytes.
    void fill(std::uint64_t to, std::uint32_t value, std::uint32_t elementBytes, std::uint64_t count);
    // In rows; a pitch has no meaning with one row.
    void copy(std::uint64_t to, std::uint64_t toPitchBytes, std::uint64_t from, std::uint64_t fromPitchBytes,
              std::uint64_t rowBytes, std::uint64_t rows);
    void write(std::uint64_t to, const Bytes& bytes);

    // What is added from here on has this number, as the detector of races hears it.
    void setNumber(std::uint32_t number) { m_number = number; }
    // With a detector it is told of every operation before it is executed, and of what a fill, copy or write touches
    // where others do not wait for it.
    // Likewise `memory` hears what they write.
    void run(WorkerPool& workers, RaceDetector* races = nullptr, MemoryCheck* memory = nullptr);

private:
    struct Launch {
        RunnableKernel* kernel;
        Dim3 grid;
        Dim3 block;
        std::size_t dynamicLdsBytes;
        bool isCooperative;
        ArgumentCopy copy;
        std::vector<void*> arguments;

        void run(WorkerPool& workers);
        void note(MemoryCheck&) const {} // its device code tells
    };
    struct Fill {
        std::uint64_t to;
        std::uint32_t value;
        std::uint32_t elementBytes;
        std::uint64_t count;

        void run(WorkerPool& workers) const;
        void tell(RaceDetector& races, RaceDetector::Block& block) const;
        void note(MemoryCheck& memory) const;
    };
    struct Copy {
        std::uint64_t to;
        std::uint64_t toPitchBytes;
        std::uint64_t from;
        std::uint64_t fromPitchBytes;
        std::uint64_t rowBytes;
        std::uint64_t rows;

        void run(WorkerPool& workers) const;
        void tell(RaceDetector& races, RaceDetector::Block& block) const;
        void note(MemoryCheck& memory) const;
    };
    struct Write {
        std::uint64_t to;
        Bytes bytes;

        void run(WorkerPool& workers) const;
        void tell(RaceDetector& races, RaceDetector::Block& block) const;
        void note(MemoryCheck& memory) const;
    };
    // Address of `bytes` from `offset` on, 0 with a sentence when the variable has not got them.
    std::uint64_t inVariable(const std::string& name, std::uint64_t offset, std::uint64_t bytes,
                             std::string& error) const;

    using Action = std::variant<Launch, Fill, Copy, Write>;
    struct Operation {
        std::uint32_t number;
        Action action;
    };
    void add(Action action) { m_operations.push_back({m_number, std::move(action)}); }

    LoadedDeviceModule* m_module;
    std::uint32_t m_number = 0;
    std::vector<Operation> m_operations;
};

} // namespace gks::hipcpu
