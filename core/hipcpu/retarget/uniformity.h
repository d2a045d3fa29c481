// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Use;
class Value;
} // namespace llvm

namespace gks::hipcpu {

// What is the same for all threads of a block that get there, in an item function (see item_function.h). A load from
// an address that is the same for all is one, unless the function has atomics: another thread would write what is read
// with no barrier between, which is a race where nothing else orders the two. The outcome of a vote over the block is
// one as well. Valid until the function changes.
class Uniformity {
public:
    explicit Uniformity(llvm::Function& item);
    ~Uniformity();

    bool isUniform(const llvm::Value& value) const;
    // A value may be the same for all in a loop that they leave at different times, and another one for each behind it.
    bool isUniform(const llvm::Use& use) const;
    // All threads take the same way at the end of the block.
    bool hasUniformEnd(const llvm::BasicBlock& block) const;
    // Every thread that has not ended before gets to the block together with the others.
    bool isReachedByAll(const llvm::BasicBlock& block) const;

private:
    struct Analyses;
    std::unique_ptr<Analyses> m_analyses;
};

} // namespace gks::hipcpu
