// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/trust.h"

#include <QDialog>
#include <vector>

namespace gks {

// Lists what a file from elsewhere names: exact server, command, variable, folder. Everything is plain text. Accepted:
// trusted.
class TrustDialog final : public QDialog {
    Q_OBJECT

public:
    TrustDialog(const QString& file, const std::vector<TrustQuestion>& questions, QWidget* parent = nullptr);
};

} // namespace gks
