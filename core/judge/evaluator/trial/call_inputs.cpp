// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/call_inputs.h"

#include "core/judge/evaluator/trial/byte_ranges.h"
#include "core/problem/parallel_ranges.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace gks {
namespace {

constexpr std::size_t stockPieces = 8; // so many pieces' worth of fresh values, of which every call gets a window

constexpr std::size_t tableElements = std::size_t{1} << 16;        // a place is a 16-bit number
constexpr std::int64_t freshPieceElements = std::int64_t{1} << 15; // of one keystream

template<std::size_t Size>
void takeElements(std::span<const std::byte> table, std::span<const std::uint16_t> places, std::byte* to) {
    for (const std::uint16_t place : places) {
        std::memcpy(to, table.data() + place * Size, Size);
        to += Size;
    }
}

void takeElements(std::size_t size, std::span<const std::byte> table, std::span<const std::uint16_t> places,
                  std::byte* to) {
    switch (size) {
    case 1:
        return takeElements<1>(table, places, to);
    case 2:
        return takeElements<2>(table, places, to);
    case 4:
        return takeElements<4>(table, places, to);
    default:
        return takeElements<8>(table, places, to);
    }
}

// Input bytes of every tensor; 0 for outputs.
std::vector<std::size_t> inputBytesOf(const CaseLayout& layout) {
    std::vector<std::size_t> bytes;
    for (const runner::Place& place : layout.places) {
        bytes.push_back(place.isOutput != 0 ? 0 : place.dataBytes);
    }
    return bytes;
}

std::uint64_t nextId() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::size_t heldBytes(std::size_t dataBytes) {
    return std::min(dataBytes, runner::heldBytesLimit);
}

} // namespace

InputSource::InputSource(const ProblemPack& pack, std::vector<std::size_t> dataBytes)
    : m_id(nextId())
    , m_dataBytes(std::move(dataBytes))
    , m_values(pack.tensors.size())
    , m_stream(std::make_unique<SeededStream>(randomSeed(), 0)) {
    for (const TensorSpec& tensor : pack.tensors) {
        m_elementBytes.push_back(gks::sizeBytes(tensor.type));
    }
}

InputSource InputSource::exactly(const ProblemPack& pack, Tensors inputs) {
    std::vector<std::size_t> dataBytes;
    for (const auto& tensor : inputs) {
        dataBytes.push_back(tensor.size());
    }
    InputSource source(pack, std::move(dataBytes));
    source.m_values = std::move(inputs);
    return source;
}

InputSource InputSource::draw(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding) {
    InputSource source(pack, inputBytesOf(layout));
    source.m_stock.resize(pack.tensors.size());
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        source.m_stock[i].resize(stockPieces * heldBytes(source.m_dataBytes[i]));
        fillValues(pack.tensors[i], randomSeed(), encoding, source.m_stock[i]);
    }
    std::vector<std::size_t> bytes = source.m_dataBytes;
    std::ranges::transform(bytes, bytes.begin(), [](std::size_t one) { return timesDrawn * one; });
    source.drawTables(pack, encoding);
    source.fill(randomSeed(), bytes, source.m_values);
    source.m_tables.clear();
    return source;
}

InputSource InputSource::fresh(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding) {
    InputSource source(pack, inputBytesOf(layout));
    source.drawTables(pack, encoding);
    return source;
}

void InputSource::drawTables(const ProblemPack& pack, Fp8Encoding encoding) {
    m_tables.resize(pack.tensors.size());
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (m_dataBytes[i] > 0) {
            m_tables[i].resize(tableElements * m_elementBytes[i]);
            fillValues(pack.tensors[i], randomSeed(), encoding, m_tables[i]);
        }
    }
}

void InputSource::fill(const Seed& seed, const std::vector<std::size_t>& bytes, Tensors& into) const {
    into.resize(bytes.size());
    for (std::size_t i = 0; i < into.size(); ++i) {
        into[i].resize(bytes[i]);
        const std::size_t size = m_elementBytes[i];
        forRanges(static_cast<std::int64_t>(bytes[i] / size), freshPieceElements,
                  [&](std::int64_t begin, std::int64_t end) {
                      std::array<std::uint16_t, freshPieceElements>
                          numbers; // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
                      const auto places = std::span(numbers).first(static_cast<std::size_t>(end - begin));
                      const auto piece = static_cast<std::uint64_t>(begin / freshPieceElements);
                      SeededStream(seed, (std::uint64_t{i} << 48) + piece).fill(std::as_writable_bytes(places));
                      takeElements(size, m_tables[i], places, into[i].data() + static_cast<std::size_t>(begin) * size);
                  });
    }
}

std::uint64_t InputSource::below(std::uint64_t limit) {
    std::uint64_t random = 0;
    m_stream->fill(std::as_writable_bytes(std::span(&random, 1)));
    return random % limit;
}

std::size_t InputSource::place(std::size_t last, std::size_t step) {
    return below(last / step + 1) * step;
}

InputChoice InputSource::choose() {
    InputChoice choice;
    if (!m_tables.empty()) {
        choice.windows.resize(m_values.size());
        choice.fresh.resize(m_values.size());
        choice.seed = randomSeed();
        fill(choice.seed, m_dataBytes, m_values);
        return choice;
    }
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const std::size_t bytes = m_dataBytes[i];
        const std::size_t held = heldBytes(bytes);
        runner::Window window;
        window.heldBytes = held;
        if (bytes > 0) {
            window.first = place(m_values[i].size() - bytes, m_elementBytes[i]);
            window.heldBegin = place(bytes - held, runner::heldStep);
        }
        choice.windows.push_back(window);
        choice.fresh.push_back(m_stock.empty() || bytes == 0 ? 0 : place(m_stock[i].size() - held, m_elementBytes[i]));
    }
    return choice;
}

std::span<const std::byte> InputSource::piece(const InputChoice& choice, std::size_t tensor) const {
    const runner::Window& window = choice.windows[tensor];
    return m_stock.empty() ? std::span(m_values[tensor]).subspan(window.first + window.heldBegin, window.heldBytes)
                           : std::span(m_stock[tensor]).subspan(choice.fresh[tensor], window.heldBytes);
}

void InputSource::compose(const InputChoice& choice, Tensors& into) const {
    if (!m_tables.empty()) {
        fill(choice.seed, m_dataBytes, into);
        return;
    }
    into.resize(m_values.size());
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const runner::Window& window = choice.windows[i];
        into[i].resize(m_dataBytes[i]);
        copyBytes(into[i], std::span(m_values[i]).subspan(window.first, m_dataBytes[i]));
        copyBytes(std::span(into[i]).subspan(window.heldBegin, window.heldBytes), piece(choice, i));
    }
}

std::size_t InputSource::sizeBytes() const {
    std::size_t bytes = 0;
    for (const Tensors* tensors : {&m_values, &m_stock, &m_tables}) {
        for (const auto& tensor : *tensors) {
            bytes += tensor.size();
        }
    }
    return bytes;
}

} // namespace gks
