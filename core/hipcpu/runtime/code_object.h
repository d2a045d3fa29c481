// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/module_registry.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gks::hipcpu {

// A code object that the program loads itself: a shared object that kernel-scientist-hipcc --genco has made. Each load
// is a copy of its own, with its own variables.
class CodeObject {
public:
    // Says on stderr why a code object is none.
    static HipError fromFile(const char* path, std::unique_ptr<CodeObject>& made);
    // `image` is as long as it says itself.
    static HipError fromMemory(const void* image, std::unique_ptr<CodeObject>& made);
    ~CodeObject(); // when the device has done all that was submitted
    CodeObject(const CodeObject&) = delete;
    CodeObject& operator=(const CodeObject&) = delete;

    // The handle of a kernel, by which it is launched; null for a name that it does not have.
    const void* function(const char* name);
    const VariableEntry* variable(const char* name) const;
    void* symbol(const char* name) const; // of its host code

private:
    CodeObject(int file, void* object, std::vector<Module*> modules)
        : m_file(file), m_object(object), m_modules(std::move(modules)) {}
    static HipError load(const std::string& bytes, std::unique_ptr<CodeObject>& made);

    int m_file;     // its number is in the name by which the dynamic linker knows the object
    void* m_object; // of the dynamic linker
    std::vector<Module*> m_modules;
};

} // namespace gks::hipcpu
