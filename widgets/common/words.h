// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace gks {

// What core names in English and the window shows, in the window's language: the words of small closed sets, such as
// kinds of experiments, actions of the history and rows of a comparison. What is not in the list comes back as it is,
// as do the sentences of judge and engine.
QString word(std::string_view id);
QString capitalized(const QString& text); // of a word at the head of a label

// "Selector", "Writer deep" of the stages "selector" and "writer/deep".
QString stageText(std::string_view stage);

} // namespace gks
