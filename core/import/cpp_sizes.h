// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cpp_text.h"
#include "core/problem/problem.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Lengths and types as host code writes them: whole numbers from names, + - * / and brackets, and vectors of numbers,
// alone or in a tuple.
namespace gks {

// A product of dims, of numbers, of sums in brackets and of quotients rounded down, as a pack writes it.
struct CppSize {
    std::vector<std::string> factors;
    std::string text() const; // "m*k", "(n+1)*3", "floor((n)/4)"
    bool isSame(const CppSize& other) const { return text() == other.text(); }
};

// Whether a sign stands outside of every bracket: a+b, (a+b)*c+d, but not (a+b)*(c+d).
bool isSumText(std::string_view text);

// Tokens [begin, end) of a text.
struct CppRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
};

// x is "x", std::get<1>(x) and x.second are "x.1"; empty: no name begins there.
struct CppName {
    std::string key;
    std::size_t end = 0; // behind it
};
CppName cppNameAt(const CppText& text, std::size_t at);

// One part of what a kernel takes or gives: a vector, or by itself a number.
struct CppPart {
    ElementType type = ElementType::f32;
    bool isVector = true;
    std::string cppType; // "std::vector<float>", "int"
};

struct CppData {
    std::vector<CppPart> parts;
    enum class Form { one, tuple, array } form = Form::one;
    std::string cppType;
};

// Which whole numbers are known by name, and how long vectors are.
class CppSizes {
public:
    explicit CppSizes(const CppText& text) : m_text(text) {}

    std::map<std::string, CppSize> numbers;
    std::map<std::string, CppSize> lengths; // of vectors, by their names

    Result<CppSize> size(CppRange range) const;

private:
    struct Value {
        CppSize size;
        bool isSum = false;
    };
    Result<Value> sum(std::size_t& at, std::size_t end, int depth) const;
    Result<Value> product(std::size_t& at, std::size_t end, int depth) const;
    Result<Value> quotient(Value left, std::size_t& at, std::size_t end) const;
    Result<Value> factor(std::size_t& at, std::size_t end, int depth) const;
    Result<Value> named(std::size_t& at) const;
    // Of a conversion to a type of whole numbers that begins here, one behind; 0 where there is none.
    std::size_t conversion(std::size_t at, std::size_t end) const;

    const CppText& m_text;
};

// As numbers beside the functions: constexpr int N = 4; and #define N 4. Without factors: it is defined more than once,
// and not the same each time.
std::map<std::string, CppSize> cppConstants(const CppText& text);
std::optional<double> cppNumber(const CppText& text, CppRange range); // a literal, with its sign
std::optional<ElementType> cppElement(std::string_view words);        // "float", "unsigned int"
// What `name` (input_t) is an alias of.
Result<CppData> cppData(const CppText& text, std::string_view name);
// Parts between commas outside of brackets; of a type also of < >.
std::vector<CppRange> cppParts(const CppText& text, CppRange range, bool angles = false);
// Without conversions around or before it, and without outer brackets. One to a whole type changes a value that is
// none.
enum class Casts { toReal, toAnyNumber };
CppRange withoutCasts(const CppText& text, CppRange range, Casts casts);
// The tokens one after the other, without std::.
std::string cppWords(const CppText& text, CppRange range);

} // namespace gks
