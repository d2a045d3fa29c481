// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Generators of random numbers, and the streams that they have handed out numbers from: one for each time that a
// generator was given a seed. Two streams of one seed hold the same numbers; draws from one stream are independent.
class DrawSeeds {
public:
    static constexpr std::size_t ofTorch = 0; // the generator that every draw has that names none
    static constexpr std::size_t none = 0;    // the stream of what is not drawn

    // Has the seed that PyTorch gives to every new one.
    std::size_t makeGenerator() {
        m_current.push_back(0);
        seed(m_current.size() - 1, "PyTorch's own");
        return m_current.size() - 1;
    }
    // `seed`: a name that equal ones share; empty: nobody knows it.
    void seed(std::size_t generator, std::string_view seed) {
        m_seeds.emplace_back(seed);
        m_current[generator] = m_seeds.size() - 1;
    }
    std::size_t streamOf(std::size_t generator) const { return m_current[generator]; }
    bool areAlike(std::size_t stream, std::size_t other) const {
        return stream != other && !m_seeds[stream].empty() && m_seeds[stream] == m_seeds[other];
    }

private:
    std::vector<std::string> m_seeds{{}, {}}; // of streams: of `none`, and of PyTorch's generator as it begins
    std::vector<std::size_t> m_current{1};    // of generators: the stream
};

} // namespace gks
