// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gks {

// Reads the fields of one JSON object: absent and unknown fields are fine, a field of the wrong type is an error. The
// first error is kept and everything after it is left alone, so that a caller reads all fields and asks once at the
// end.
class FieldReader {
public:
    FieldReader(const Json& object, std::string where);

    void require(const char* key); // an error when the field is absent
    void read(const char* key, std::string& into);
    void read(const char* key, bool& into);
    void read(const char* key, int& into);
    void read(const char* key, std::int64_t& into);
    void read(const char* key, std::size_t& into);
    void read(const char* key, double& into); // any finite number
    void read(const char* key, Interval& into);
    void read(const char* key, std::optional<std::string>& into);
    void read(const char* key, std::optional<std::size_t>& into);
    void read(const char* key, std::vector<double>& into);
    void read(const char* key, std::vector<int>& into);
    void read(const char* key, std::vector<std::string>& into);
    void read(const char* key, std::map<std::string, std::int64_t>& into);
    void read(const char* key, std::map<std::string, std::string>& into);
    // The field's own JSON, nullptr when absent or null; an error when it is not an object / not an array.
    const Json* object(const char* key);
    const Json* array(const char* key);

    void fail(const char* key, const std::string& what);
    void fail(const Error& error);
    Result<void> finish() const;

private:
    const Json* find(const char* key) const;

    const Json& m_object;
    std::string m_where;
    std::optional<Error> m_error;
};

} // namespace gks
