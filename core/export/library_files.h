// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

#include <vector>

// A shared library with the C interface, and a program that compares kernel, fallback and the pack's reference.
namespace gks {

// Shapes that the program tries: measured ones and others, those that a CPU computes in seconds. Held-out ones are
// never among them.
struct TriedShape {
    Shape shape;
    bool isMeasured = false;
    bool operator==(const TriedShape&) const = default;
};
Result<std::vector<TriedShape>> triedShapes(const ExportedKernel& kernel);

std::string buildFile(const ExportedKernel& kernel, bool withTest); // CMakeLists.txt
Result<std::string> testProgram(const ExportedKernel& kernel);      // test/test_NAME.hip
// What the test needs beside the interface: test/test_NAME.hip and test/reference.cpp.
Result<BundleFiles> testFiles(const ExportedKernel& kernel);

// Options that a build can repeat as they are; others are named in EVIDENCE.md alone.
std::vector<std::string> repeatableOptions(const ExportedKernel& kernel);

} // namespace gks
