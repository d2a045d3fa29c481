// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/replay.h"

#include "core/hipcpu/runtime/resident_blocks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace gks::hipcpu {
namespace {

template<class T>
T* at(std::uint64_t address) {
    return reinterpret_cast<T*>(address);
}

} // namespace

std::string Replay::launch(const std::string& name, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
                           const std::vector<Bytes>& arguments, bool isCooperative) {
    RunnableKernel* const kernel = m_module->kernel(name);
    if (kernel == nullptr) {
        return "the module has no kernel " + name;
    }
    const KernelEntry& entry = *kernel->entry;
    if (checkLaunch(limitsOf(entry), grid, block, dynamicLdsBytes) != hipSuccess) {
        return name + " takes no such grid, block or LDS";
    }
    bool fits = arguments.size() == entry.argumentCount;
    std::vector<const void*> values;
    for (std::size_t i = 0; fits && i < arguments.size(); ++i) {
        fits = arguments[i].size() == entry.argumentSizes[i];
        values.push_back(arguments[i].data());
    }
    if (!fits) {
        return "other arguments than those of " + name;
    }
    if (isCooperative && !ResidentBlocks::instance().reserve(grid.count())) {
        return "the system starts no more threads than it did for a cooperative launch, and one for each of its " +
               std::to_string(grid.count()) + " blocks is needed";
    }
    Launch launch{kernel, grid, block, dynamicLdsBytes, isCooperative, ArgumentCopy(entry, values.data()), {}};
    launch.arguments = launch.copy.pointers(); // into storage that moves along
    add(std::move(launch));
    return {};
}

std::uint64_t Replay::inVariable(const std::string& name, std::uint64_t offset, std::uint64_t bytes,
                                 std::string& error) const {
    const VariableEntry* const variable = m_module->variable(name);
    if (variable == nullptr || offset > variable->sizeBytes || bytes > variable->sizeBytes - offset) {
        error = "the module has no such bytes of a variable " + name;
        return 0;
    }
    return reinterpret_cast<std::uintptr_t>(variable->address) + offset;
}

std::string Replay::copyToVariable(const std::string& name, std::uint64_t offset, std::uint64_t from,
                                   std::uint64_t bytes) {
    std::string error;
    if (const std::uint64_t to = inVariable(name, offset, bytes, error)) {
        copy(to, 0, from, 0, bytes, 1);
    }
    return error;
}

std::string Replay::copyFromVariable(const std::string& name, std::uint64_t offset, std::uint64_t to,
                                     std::uint64_t bytes) {
    std::string error;
    if (const std::uint64_t from = inVariable(name, offset, bytes, error)) {
        copy(to, 0, from, 0, bytes, 1);
    }
    return error;
}

std::string Replay::writeVariable(const std::string& name, std::uint64_t offset, const Bytes& bytes) {
    std::string error;
    if (const std::uint64_t to = inVariable(name, offset, bytes.size(), error)) {
        write(to, bytes);
    }
    return error;
}

void Replay::fill(std::uint64_t to, std::uint32_t value, std::uint32_t elementBytes, std::uint64_t count) {
    add(Fill{to, value, elementBytes, count});
}

void Replay::copy(std::uint64_t to, std::uint64_t toPitchBytes, std::uint64_t from, std::uint64_t fromPitchBytes,
                  std::uint64_t rowBytes, std::uint64_t rows) {
    add(Copy{to, toPitchBytes, from, fromPitchBytes, rowBytes, rows});
}

void Replay::write(std::uint64_t to, const Bytes& bytes) {
    add(Write{to, bytes});
}

void Replay::run(WorkerPool& workers, RaceDetector* races, MemoryCheck* memory) {
    for (auto& [number, action] : m_operations) {
        if (const auto* launch = std::get_if<Launch>(&action); launch != nullptr && races != nullptr) {
            races->beginOperation(number, launch->grid.count());
        } else if (races != nullptr && races->mayRace(number)) {
            races->beginOperation(number, 1);
            RaceDetector::Block block;
            races->enter(block, 0);
            std::visit(
                [&](const auto& one) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, Launch>) {
                        one.tell(*races, block);
                    }
                },
                action);
        }
        std::visit([&](auto& one) { one.run(workers); }, action);
        if (memory != nullptr) {
            std::visit([&](const auto& one) { one.note(*memory); }, action);
        }
    }
}

void Replay::Launch::run(WorkerPool& workers) {
    runKernel(workers, *kernel, grid, block, dynamicLdsBytes, arguments.data(), isCooperative);
}

void Replay::Fill::run(WorkerPool&) const {
    switch (elementBytes) {
    case 2:
        std::fill_n(at<std::uint16_t>(to), count, static_cast<std::uint16_t>(value));
        break;
    case 4:
        std::fill_n(at<std::uint32_t>(to), count, value);
        break;
    default:
        std::memset(at<void>(to), static_cast<int>(value), count);
    }
}

void Replay::Fill::note(MemoryCheck& memory) const {
    memory.write(at<const void>(to), count * elementBytes);
}

void Replay::Copy::note(MemoryCheck& memory) const {
    for (std::uint64_t row = 0; row < rows; ++row) {
        memory.copy(at<const void>(to + row * toPitchBytes), at<const void>(from + row * fromPitchBytes), rowBytes);
    }
}

void Replay::Write::note(MemoryCheck& memory) const {
    memory.write(at<const void>(to), bytes.size());
}

void Replay::Fill::tell(RaceDetector& races, RaceDetector::Block& block) const {
    constexpr std::size_t pieceBytes = 4096;
    std::array<std::uint8_t, pieceBytes> piece = {};
    for (std::size_t i = 0; i < pieceBytes; ++i) {
        piece[i] = static_cast<std::uint8_t>(value >> 8 * (i % elementBytes));
    }
    for (std::uint64_t done = 0; done < count * elementBytes; done += pieceBytes) {
        races.access(block, {}, at<void>(to + done), std::min<std::size_t>(pieceBytes, count * elementBytes - done),
                     AccessKind::write, piece.data());
    }
}

// A copy within one buffer may overlap itself.
void Replay::Copy::run(WorkerPool&) const {
    for (std::uint64_t row = 0; row < rows; ++row) {
        std::memmove(at<char>(to + row * toPitchBytes), at<const char>(from + row * fromPitchBytes), rowBytes);
    }
}

void Replay::Copy::tell(RaceDetector& races, RaceDetector::Block& block) const {
    for (std::uint64_t row = 0; row < rows; ++row) {
        const void* const source = at<const void>(from + row * fromPitchBytes);
        races.access(block, {}, source, rowBytes, AccessKind::read, nullptr);
        races.access(block, {}, at<void>(to + row * toPitchBytes), rowBytes, AccessKind::write, source);
    }
}

void Replay::Write::tell(RaceDetector& races, RaceDetector::Block& block) const {
    races.access(block, {}, at<void>(to), bytes.size(), AccessKind::write, bytes.data());
}

void Replay::Write::run(WorkerPool&) const {
    if (!bytes.empty()) {
        std::memcpy(at<char>(to), bytes.data(), bytes.size());
    }
}

} // namespace gks::hipcpu
