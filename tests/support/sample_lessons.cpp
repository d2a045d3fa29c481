// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_lessons.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

namespace gks {

namespace {

std::string messages(const std::string& system, const std::string& user) {
    return OrderedJson({{{"role", "system"}, {"content", system}}, {{"role", "user"}, {"content", user}}}).dump();
}

Exchange exchangeOf(const Kernel& kernel, const std::string& stage, std::int64_t number) {
    Exchange exchange;
    exchange.id = kernel.id * 4 + number;
    exchange.stage = stage;
    exchange.provider = stage == "writer" ? "anthropic" : "openai";
    exchange.model = stage == "writer" ? "writing-model-1" : "example-model";
    exchange.kernel = kernel.id;
    exchange.experiment = kernel.experiment;
    exchange.tokensIn = 3'900 + number * 700;
    exchange.tokensOut = 450 + number * 400;
    exchange.usd = 0.008 + 0.006 * static_cast<double>(number);
    exchange.seconds = 9.2 + static_cast<double>(number) * 3;
    exchange.firstTokenSeconds = 0.9;
    exchange.at = kernel.createdAt - 25'000 + number * 6'000;
    return exchange;
}

Exchange designing(const Kernel& kernel) {
    Exchange exchange = exchangeOf(kernel, "designer", 0);
    exchange.prompt =
        messages("You propose changes to one kernel. You predict what each will bring.",
                 "Mission and task:\n<mission>\nMake the **fp8 GEMM** fast on gfx942.\n\n* Ragged shapes\n"
                 "* Accumulate in `float`\n</mission>\n\nThe kernel to be changed:\n<kernel id=\"00007\">\n" +
                     kernel.source.orNothing() + "</kernel>\n");
    exchange.reply = OrderedJson({{"avenues", {"padding", "swizzle", "wider loads"}},
                                  {"experiments",
                                   {{{"avenue", "1"},
                                     {"kind", "rewrite"},
                                     {"description", kernel.title},
                                     {"rubric", "Rows of the tile get 16 bytes more.\nNothing else changes."},
                                     {"gain", {1.05, 1.18}},
                                     {"innovation", 40}},
                                    {{"avenue", "2"},
                                     {"kind", "change"},
                                     {"description", "Swizzle the column by the row"},
                                     {"rubric", "The column is xor-ed with the row modulo 8."},
                                     {"gain", {1.02, 1.25}},
                                     {"innovation", 65}}}}})
                         .dump(2);
    exchange.inclusions = {{"knowledge", "gfx942", 1'480},
                           {"document", "CDNA3 ISA, passage 2", 640},
                           {"finding", "finding 1", 34},
                           {"finding", "finding 2", 41}};
    return exchange;
}

Exchange writing(const Kernel& kernel) {
    Exchange exchange = exchangeOf(kernel, "writer", 2);
    exchange.prompt =
        messages("You write HIP kernels. Return the whole file.",
                 "Apply the experiment to the basis.\n\n<kernel id=\"00007\">\n" + kernel.source.orNothing() +
                     "</kernel>\n\nBank conflicts come from equal strides; pad or swizzle.\n");
    exchange.reply = OrderedJson({{"title", kernel.title},
                                  {"report",
                                   {{{"item", "Rows are padded by 16 bytes"}, {"used", true}, {"note", "TILE_K + 16"}},
                                    {{"item", "No extra barrier"}, {"used", true}, {"note", ""}}}},
                                  {"source", kernel.source.orNothing()}})
                         .dump();
    exchange.inclusions = {{"knowledge", "gfx942", 1'480}};
    return exchange;
}

} // namespace

std::vector<RubricItem> sampleRubric() {
    return {
        {"The change is in the inner loop", true, "load_tile", true, "lines 14 to 22 differ inside the loop over k0"},
        {"Bounds are still checked on ragged shapes", true, "guards were kept", false,
         "the guard on `row < p.m` is gone from load_tile"},
        {"No extra barrier", false, "one more was needed", std::nullopt, ""}};
}

std::vector<Finding> sampleFindings(Timestamp beginning) {
    Finding padding;
    padding.id = 1;
    padding.subject = "padding of LDS rows";
    padding.text = "Padding rows by 16 bytes removes the bank conflicts of the column reads.";
    padding.gain = Interval{1.13, 1.22};
    padding.evaluations = {12};
    padding.at = padding.changedAt = beginning + 2'400'000;
    Finding unrolling;
    unrolling.id = 2;
    unrolling.subject = "unrolling of the inner loop";
    unrolling.text = "Unrolling beyond 8 spills registers and costs more than it gives.";
    unrolling.gain = Interval{0.914, 0.943};
    unrolling.evaluations = {6, 18};
    unrolling.contradicting = {17};
    unrolling.state = FindingState::contradicted;
    unrolling.at = unrolling.changedAt = beginning + 1'300'000;
    Finding ragged;
    ragged.id = 3;
    ragged.subject = "ragged K";
    ragged.text = "Ragged K needs the bounds check in the load, not in the loop.";
    ragged.evaluations = {5, 10};
    ragged.author = Author::person;
    ragged.editedByPerson = true;
    ragged.at = ragged.changedAt = beginning + 2'000'000;
    Finding buffering;
    buffering.id = 4;
    buffering.subject = "double buffering";
    buffering.text = "Two stages in LDS hide the loads; a third one gains nothing and costs occupancy.";
    buffering.gain = Interval{1.4, 1.5};
    buffering.evaluations = {7};
    buffering.author = Author::engine;
    buffering.at = buffering.changedAt = beginning + 1'700'000;
    Finding stores;
    stores.id = 5;
    stores.subject = "wide stores";
    stores.text = "128-bit stores do not matter here.";
    stores.state = FindingState::dismissed;
    stores.at = stores.changedAt = beginning + 2'600'000;
    return {padding, unrolling, ragged, buffering, stores};
}

std::vector<Document> sampleDocuments(Timestamp beginning) {
    return {
        {1, "CDNA3 ISA", "pdf", std::string(64, 'a'), 184'320, 3,
         "LDS has 32 banks of 4 bytes; `ds_read_b128` takes four cycles. Matrix instructions need 16 independent "
         "cycles before their result is read.",
         true, beginning + 100'000},
        {2, "notes of the last campaign", "markdown", std::string(64, 'b'), 4'096, 2, "", false, beginning + 200'000}};
}

std::vector<Passage> samplePassages(std::int64_t document) {
    if (document == 1) {
        return {{1, 1, "Local data share",
                 "LDS is 64 KiB for each compute unit, organised in 32 banks of 4 bytes. Two "
                 "lanes that read different words of one bank in the same cycle conflict."},
                {1, 2, "Matrix instructions",
                 "V_MFMA_F32_32X32X16_FP8_FP8 takes 32 cycles. Its result may be read after "
                 "16 independent cycles; the hardware does not always wait."},
                {1, 3, "Scalar memory", "Scalar loads go through a cache of 16 KiB which two compute units share."}};
    }
    return {{2, 1, "Padding", "Padding of 16 bytes was better than 4 in every bank layout."},
            {2, 2, "", "Split K only pays below 64 blocks."}};
}

std::vector<Exchange> sampleExchanges(const Population& population) {
    std::vector<Exchange> exchanges;
    for (const Kernel& kernel : population.kernels) {
        if (kernel.author != Author::model) {
            continue;
        }
        exchanges.push_back(designing(kernel));
        if (kernel.id == 12) {
            Exchange refused = exchangeOf(kernel, "writer", 1);
            refused.prompt = writing(kernel).prompt;
            refused.reply = "I would rather explain the idea first: pad the rows by 16 bytes.";
            refused.error = "refused: there is no object in the reply; `source` is missing";
            refused.attempts = 2;
            exchanges.push_back(refused);
        }
        exchanges.push_back(writing(kernel));
    }
    return exchanges;
}

} // namespace gks
