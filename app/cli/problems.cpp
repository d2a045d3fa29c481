// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/problem/problem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

OrderedJson toJson(const ProblemPack& pack) {
    OrderedJson json = {
        {"name", pack.name}, {"title", pack.title}, {"folder", pack.folder.string()}, {"dims", pack.dims}};
    json["tensors"] = OrderedJson::array();
    for (const TensorSpec& tensor : pack.tensors) {
        json["tensors"].push_back({{"name", tensor.name},
                                   {"type", name(tensor.type)},
                                   {"shape", tensor.extents},
                                   {"role", tensor.role == TensorRole::input ? "input" : "output"}});
    }
    json["shapes"] = OrderedJson::object();
    for (const ShapeSet set :
         {ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::cpu}) { // the held-out ones stay secret
        OrderedJson& shapes = json["shapes"][std::string(name(set))] = OrderedJson::array();
        for (const Shape& shape : pack.shapesOf(set)) {
            shapes.push_back(pack.namedShape(shape));
        }
    }
    json["seeds"] = OrderedJson::array();
    for (const SeedKernel& seed : pack.seeds) {
        json["seeds"].push_back({{"name", seed.name}, {"title", seed.title}, {"path", seed.path.string()}});
    }
    return json;
}

std::string seedNames(const ProblemPack& pack) {
    std::vector<std::string> names;
    for (const SeedKernel& seed : pack.seeds) {
        names.push_back(seed.name);
    }
    return join(names, ", ");
}

int runProblems(const Arguments& arguments) {
    const auto packs = builtinProblems();
    if (!packs) {
        return failed(packs.error());
    }
    if (arguments.has("--json")) {
        OrderedJson json = {{"problems", OrderedJson::array()}};
        for (const ProblemPack& pack : *packs) {
            json["problems"].push_back(toJson(pack));
        }
        printJson(json);
        return done;
    }
    Table table;
    table.add({"Problem", "Title", "Shapes", "CPU shapes", "Seeds"});
    for (const ProblemPack& pack : *packs) {
        table.add({pack.name, pack.title, std::to_string(pack.shapesOf(ShapeSet::benchmark).size()),
                   std::to_string(pack.shapesOf(ShapeSet::cpu).size()), seedNames(pack)});
    }
    say("{}", table.text());
    return done;
}

} // namespace

const Command problemsCommand = {
    "problems", "", "List the built-in problems", {{"--json", "", "print JSON", false}}, runProblems};

} // namespace gks::cli
