// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/tensor_expression.h"
#include "core/problem/problem.h"

#include <string>

// A tensor expression as code: the reference of a problem pack, and a first kernel with a thread for each output.
namespace gks {

// `pack`: dims and tensors, inputs first. Reference and magnitude in double precision. Empty where the code would be
// longer than anybody reads: products of products double with each.
std::string referenceSource(const ProblemPack& pack, const TensorProgram& program);
std::string naiveSource(const ProblemPack& pack, const TensorProgram& program);
// Operations that no kernel can do without, and bytes that it has to move, as expressions over the dims.
std::string leastFlops(const ProblemPack& pack, const TensorProgram& program);
std::string leastBytes(const ProblemPack& pack);
// How many elements a tensor has, as one factor: "m*(n-1)".
std::string elementsText(const std::vector<std::string>& shape);
// Operations of the first kernel and of the reference: what a shape costs to be checked.
std::string writtenFlops(const ProblemPack& pack, const TensorProgram& program);

} // namespace gks
