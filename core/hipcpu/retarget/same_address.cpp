// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/same_address.h"

#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned deepest = 8;

bool isAlike(const llvm::Value* a, const llvm::Value* b, unsigned depth) {
    a = a->getType()->isPointerTy() ? a->stripPointerCasts() : a;
    b = b->getType()->isPointerTy() ? b->stripPointerCasts() : b;
    if (a == b) {
        return true;
    }
    const auto* one = llvm::dyn_cast<llvm::Instruction>(a);
    const auto* other = llvm::dyn_cast<llvm::Instruction>(b);
    if (depth == 0 || one == nullptr || other == nullptr || llvm::isa<llvm::PHINode, llvm::CallBase>(one) ||
        !one->isSameOperationAs(other)) {
        return false;
    }
    return std::equal(
        one->op_begin(), one->op_end(), other->op_begin(),
        [depth](const llvm::Use& left, const llvm::Use& right) { return isAlike(left.get(), right.get(), depth - 1); });
}

// An address as a sum of values, each so many times.
class Sum {
public:
    Sum(const llvm::Value& address, const llvm::DataLayout& layout) : m_layout(layout) { add(address, 1, deepest); }

    bool operator==(const Sum& other) const {
        return m_bytes == other.m_bytes && m_terms.size() == other.m_terms.size() && isWithin(other) &&
               other.isWithin(*this);
    }

private:
    struct Term {
        const llvm::Value* value;
        std::int64_t times;
    };

    void add(const llvm::Value& value, std::int64_t times, unsigned depth) {
        using namespace llvm::PatternMatch;
        const llvm::Value *a = nullptr, *b = nullptr;
        const llvm::APInt* number = nullptr;
        if (match(&value, m_APInt(number))) {
            m_bytes += times * number->trySExtValue().value_or(0);
        } else if (depth == 0) {
            addTerm(value, times);
        } else if (match(&value, m_ZExtOrSExt(m_Value(a))) || match(&value, m_Trunc(m_Value(a))) ||
                   match(&value, m_PtrToInt(m_Value(a))) || match(&value, m_IntToPtr(m_Value(a)))) {
            add(*a, times, depth - 1);
        } else if (match(&value, m_Add(m_Value(a), m_Value(b))) ||
                   match(&value, m_DisjointOr(m_Value(a), m_Value(b)))) {
            add(*a, times, depth - 1);
            add(*b, times, depth - 1);
        } else if (match(&value, m_Sub(m_Value(a), m_Value(b)))) {
            add(*a, times, depth - 1);
            add(*b, -times, depth - 1);
        } else if (match(&value, m_Mul(m_Value(a), m_APInt(number))) && number->isSignedIntN(32)) {
            add(*a, times * number->getSExtValue(), depth - 1);
        } else if (match(&value, m_Shl(m_Value(a), m_APInt(number))) && number->ult(32)) {
            add(*a, times << number->getZExtValue(), depth - 1);
        } else if (const auto* place = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
            addPlace(*place, times, depth - 1);
        } else {
            addTerm(value, times);
        }
    }

    void addPlace(const llvm::GEPOperator& place, std::int64_t times, unsigned depth) {
        llvm::MapVector<llvm::Value*, llvm::APInt> indices;
        llvm::APInt bytes(m_layout.getIndexTypeSizeInBits(place.getType()), 0);
        if (!place.collectOffset(m_layout, bytes.getBitWidth(), indices, bytes)) {
            addTerm(place, times);
            return;
        }
        add(*place.getPointerOperand(), times, depth);
        m_bytes += times * bytes.getSExtValue();
        for (const auto& [index, scale] : indices) {
            add(*index, times * scale.getSExtValue(), depth);
        }
    }

    void addTerm(const llvm::Value& value, std::int64_t times) {
        const auto known = std::find_if(m_terms.begin(), m_terms.end(),
                                        [&](const Term& term) { return isAlike(term.value, &value, deepest); });
        if (known != m_terms.end()) {
            known->times += times;
        } else {
            m_terms.push_back({&value, times});
        }
    }

    bool isWithin(const Sum& other) const {
        return std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& mine) {
            return std::any_of(other.m_terms.begin(), other.m_terms.end(), [&](const Term& one) {
                return mine.times == one.times && isAlike(mine.value, one.value, deepest);
            });
        });
    }

    const llvm::DataLayout& m_layout;
    std::int64_t m_bytes = 0;
    llvm::SmallVector<Term, 4> m_terms;
};

} // namespace

bool isSameAddress(const llvm::Value* a, const llvm::Value* b) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(llvm::isa<llvm::Instruction>(a) ? a : b);
    return isAlike(a, b, deepest) ||
           (instruction != nullptr && Sum(*a, instruction->getDataLayout()) == Sum(*b, instruction->getDataLayout()));
}

} // namespace gks::hipcpu
