// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <thread>

namespace gks {

// Reads what a child writes to standard error for as long as this is there, so that the child never waits for a reader,
// however much it says, and keeps the end of it.
class ErrorDrain {
public:
    explicit ErrorDrain(int descriptor); // stays the caller's, and open for as long as this is there
    ~ErrorDrain() = default;
    ErrorDrain(const ErrorDrain&) = delete;
    ErrorDrain& operator=(const ErrorDrain&) = delete;

    // Reads what is there still, and no more from then on. The last line that says something; empty: none. Any bytes.
    std::string lastLine();

private:
    int m_descriptor;
    std::string m_said; // of the thread while it runs
    std::jthread m_thread;
};

} // namespace gks
