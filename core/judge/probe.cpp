// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/probe.h"

#include "core/base/text.h"
#include "core/problem/expression.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::string_view probeMark = "probe:";
constexpr std::size_t variantNameLimit = 40;
constexpr std::size_t amountLimitBytes = 80;
constexpr double largestAmount = 1e18;
constexpr std::string_view variantNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

tl::unexpected<Error> badProbe(std::string what, std::size_t line) {
    return tl::unexpected(Error{ErrorKind::kernel, std::move(what), fmt::format("line {} of the probe", line),
                                "Write // probe: NAME bytes=N flops=N ops=N less=EARLIER, without blanks in N"});
}

std::vector<std::string_view> betweenBlanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> parts;
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
         at = text.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

class VariantReader {
public:
    Result<void> read(std::string_view text, std::size_t line) {
        const std::vector<std::string_view> parts = betweenBlanks(text);
        if (parts.empty() || parts.front().size() > variantNameLimit ||
            parts.front().find_first_not_of(variantNameCharacters) != std::string_view::npos) {
            return badProbe(
                fmt::format("a variant needs a name of letters, digits, _ and -, at most {}", variantNameLimit), line);
        }
        if (isKnown(parts.front())) {
            return badProbe(fmt::format("variant \"{}\" is there twice", parts.front()), line);
        }
        if (m_variants.size() == probeVariantLimit) {
            return badProbe(fmt::format("more than {} variants", probeVariantLimit), line);
        }
        ProbeVariant variant{std::string(parts.front())};
        for (auto part = std::next(parts.begin()); part != parts.end(); ++part) {
            GKS_TRY(readAmount(variant, *part, line));
        }
        m_variants.push_back(std::move(variant));
        return {};
    }

    std::vector<ProbeVariant> take() { return std::move(m_variants); }

private:
    bool isKnown(std::string_view name) const {
        return std::ranges::find(m_variants, name, &ProbeVariant::name) != m_variants.end();
    }

    Result<void> readAmount(ProbeVariant& variant, std::string_view part, std::size_t line) const {
        const std::size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        const std::string value(equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1));
        if (key == "less") {
            if (!isKnown(value) || variant.less) {
                return badProbe(fmt::format("less names one variant of an earlier line, not \"{}\"",
                                            abbreviated(value, variantNameLimit)),
                                line);
            }
            variant.less = value;
            return {};
        }
        std::optional<double>* const amount = key == "bytes"   ? &variant.bytes
                                              : key == "flops" ? &variant.flops
                                              : key == "ops"   ? &variant.operations
                                                               : nullptr;
        if (amount == nullptr || *amount) {
            return badProbe(fmt::format("\"{}\" is none of bytes=, flops=, ops= and less=, each once",
                                        abbreviated(part, variantNameLimit)),
                            line);
        }
        const auto number =
            value.size() > amountLimitBytes ? Result<double>(usageError("is too long")) : evaluateExpression(value, {});
        if (!number || !(*number > 0 && *number <= largestAmount)) {
            return badProbe(fmt::format("{} needs a number above 0 and at most {:g}, not \"{}\"", key, largestAmount,
                                        abbreviated(value, variantNameLimit)),
                            line);
        }
        *amount = *number;
        return {};
    }

    std::vector<ProbeVariant> m_variants;
};

// So much for each microsecond, times `unit`.
std::optional<ProbeRate> rateOf(const std::optional<double>& amount, const ProbeRate& work, double unit) {
    if (!amount || !(work.ci95.low > 0)) {
        return std::nullopt;
    }
    const double scaled = *amount * unit;
    return ProbeRate{scaled / work.value, {scaled / work.ci95.high, scaled / work.ci95.low}};
}

OrderedJson rateJson(const ProbeRate& rate) {
    return {{"value", rate.value}, {"ci95", {rate.ci95.low, rate.ci95.high}}};
}

} // namespace

Result<std::vector<ProbeVariant>> probeVariants(std::string_view source) {
    VariantReader reader;
    std::size_t number = 0;
    for (const std::string_view line : lines(source)) {
        ++number;
        std::string_view text = trimmed(line);
        if (!text.starts_with("//")) {
            continue;
        }
        text = trimmed(text.substr(2));
        if (text.starts_with(probeMark)) {
            GKS_TRY(reader.read(text.substr(probeMark.size()), number));
        }
    }
    std::vector<ProbeVariant> variants = reader.take();
    if (variants.empty()) {
        return badProbe("no line declares a variant", 1);
    }
    return variants;
}

Result<void> keepVariants(ProblemPack& pack, std::string_view source) {
    GKS_TRY_ASSIGN(const std::vector<ProbeVariant> variants, probeVariants(source));
    for (auto& [set, shapes] : pack.shapes) {
        std::erase_if(shapes,
                      [&](const Shape& shape) { return shape.front() > static_cast<std::int64_t>(variants.size()); });
    }
    return {};
}

Result<std::vector<ProbeFigure>> probeFigures(std::string_view source, const Verdict& verdict) {
    GKS_TRY_ASSIGN(const std::vector<ProbeVariant> variants, probeVariants(source));
    std::map<std::string, const MeasurementFact*> facts; // by the variant's name
    for (const MeasurementFact& fact : verdict.measurements) {
        const auto number = fact.shape.find("variant");
        if (number != fact.shape.end() && number->second >= 1 &&
            number->second <= static_cast<std::int64_t>(variants.size())) {
            facts[variants[static_cast<std::size_t>(number->second - 1)].name] = &fact;
        }
    }
    std::vector<ProbeFigure> figures;
    for (const ProbeVariant& variant : variants) {
        const MeasurementFact* less = variant.less ? facts[*variant.less] : nullptr;
        if (facts[variant.name] == nullptr || (variant.less && less == nullptr)) {
            continue;
        }
        const MeasurementFact& fact = *facts[variant.name];
        ProbeFigure figure{variant, fact.medianUs, fact.ci95Us, fact.samples, {fact.medianUs, fact.ci95Us}};
        if (less != nullptr) {
            figure.work = {fact.medianUs - less->medianUs,
                           {fact.ci95Us.low - less->ci95Us.high, fact.ci95Us.high - less->ci95Us.low}};
        }
        constexpr double gigabytes = 1e-3;
        constexpr double teraflops = 1e-6;
        figure.gigabytesPerSecond = rateOf(figure.variant.bytes, figure.work, gigabytes);
        figure.teraflopsPerSecond = rateOf(figure.variant.flops, figure.work, teraflops);
        if (figure.variant.operations && figure.isDecided()) {
            const double nanoseconds = 1e3 / *figure.variant.operations;
            figure.nanosecondsPerOperation =
                ProbeRate{figure.work.value * nanoseconds,
                          {figure.work.ci95.low * nanoseconds, figure.work.ci95.high * nanoseconds}};
        }
        figures.push_back(std::move(figure));
    }
    return figures;
}

OrderedJson toJson(const std::vector<ProbeFigure>& figures) {
    OrderedJson array = OrderedJson::array();
    for (const ProbeFigure& figure : figures) {
        OrderedJson json = {{"variant", figure.variant.name},
                            {"median_us", figure.medianUs},
                            {"ci95_us", {figure.ci95Us.low, figure.ci95Us.high}},
                            {"samples", figure.samples}};
        if (figure.variant.less) {
            json["less"] = *figure.variant.less;
            json["work_us"] = rateJson(figure.work);
        }
        const auto add = [&](const char* key, const std::optional<ProbeRate>& rate) {
            if (rate) {
                json[key] = rateJson(*rate);
            }
        };
        add("gb_per_s", figure.gigabytesPerSecond);
        add("tflop_per_s", figure.teraflopsPerSecond);
        add("ns_per_operation", figure.nanosecondsPerOperation);
        array.push_back(std::move(json));
    }
    return array;
}

std::string formatProbeRate(const ProbeRate& rate, std::string_view unit) {
    return fmt::format("{} {} [{}, {}]", formatSignificant(rate.value), unit, formatSignificant(rate.ci95.low),
                       formatSignificant(rate.ci95.high));
}

std::string ratesText(const ProbeFigure& figure) {
    if (!figure.isDecided()) {
        return fmt::format("not decided: it takes no longer than {} for certain",
                           figure.variant.less.value_or("an empty call"));
    }
    std::vector<std::string> rates;
    const auto add = [&](const std::optional<ProbeRate>& rate, std::string_view unit) {
        if (rate) {
            rates.push_back(formatProbeRate(*rate, unit));
        }
    };
    add(figure.gigabytesPerSecond, "GB/s");
    add(figure.teraflopsPerSecond, "TFLOP/s");
    add(figure.nanosecondsPerOperation, "ns each");
    return join(rates, ", ");
}

} // namespace gks
