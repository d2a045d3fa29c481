// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>
#include <string>

namespace gks::hipcpu {

// LLVM would print diagnostics and leave the process; here the first error of a context is kept.
class DiagnosticKeeper {
public:
    explicit DiagnosticKeeper(llvm::LLVMContext& context) {
        context.setDiagnosticHandler(std::make_unique<Handler>(m_text));
    }
    const std::string& text() const { return *m_text; } // empty: there was none

private:
    class Handler final : public llvm::DiagnosticHandler {
    public:
        explicit Handler(std::shared_ptr<std::string> text) : m_text(std::move(text)) {}
        bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
            if (info.getSeverity() == llvm::DS_Error && m_text->empty()) {
                llvm::raw_string_ostream stream(*m_text);
                llvm::DiagnosticPrinterRawOStream printer(stream);
                info.print(printer);
            }
            return true;
        }

    private:
        std::shared_ptr<std::string> m_text;
    };

    std::shared_ptr<std::string> m_text = std::make_shared<std::string>();
};

} // namespace gks::hipcpu
