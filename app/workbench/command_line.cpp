// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/command_line.h"

#include "core/campaign/lane_spec.h"

#include <QRegularExpression>

namespace gks {

namespace {

constexpr int smallestSide = 100;
constexpr int largestSide = 8000;

std::optional<QSize> sizeFromText(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const auto match = pattern.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sane = size.width() >= smallestSide && size.height() >= smallestSide && size.width() <= largestSide &&
                      size.height() <= largestSide;
    return match.hasMatch() && sane ? std::optional(size) : std::nullopt;
}

std::optional<KernelId> kernelFromText(const QString& text) {
    bool good = false;
    const KernelId id = text.toLongLong(&good);
    return good && id > 0 ? std::optional(id) : std::nullopt;
}

tl::unexpected<Error> wrong(const QString& what) {
    return usageError(what.toStdString(), {}, "Run kernel-scientist --help");
}

// Applies one option with a value; false when the value is not one.
bool apply(CommandLine& line, const QString& option, const QString& value) {
    if (option == QLatin1String("--screenshot")) {
        line.screenshot = value;
    } else if (option == QLatin1String("--panel")) {
        line.panel = value;
    } else if (option == QLatin1String("--theme")) {
        line.theme = Theme::choiceFromName(value);
        return line.theme != Theme::Choice::system;
    } else if (option == QLatin1String("--size")) {
        line.size = sizeFromText(value);
        return line.size.has_value();
    } else if (option == QLatin1String("--kernel")) {
        line.kernel = kernelFromText(value);
        return line.kernel.has_value();
    } else if (option == QLatin1String("--lanes")) {
        line.lanes = value;
        return parseLanes(value.toStdString()).has_value();
    } else {
        line.second = kernelFromText(value);
        return line.second.has_value();
    }
    return !value.isEmpty();
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList& arguments) {
    static const QStringList withValue = {
        QStringLiteral("--screenshot"), QStringLiteral("--panel"),  QStringLiteral("--theme"), QStringLiteral("--size"),
        QStringLiteral("--kernel"),     QStringLiteral("--second"), QStringLiteral("--lanes")};
    CommandLine line;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            line.help = true;
        } else if (argument == QLatin1String("--version")) {
            line.version = true;
        } else if (argument == QLatin1String("--run")) {
            line.run = true;
        } else if (argument == QLatin1String("--whole")) {
            line.whole = true;
        } else if (argument == QLatin1String("--demo")) {
            line.demo = true;
        } else if (withValue.contains(argument)) {
            if (i + 1 == arguments.size()) {
                return wrong(argument % QStringLiteral(" needs a value"));
            }
            QString value = arguments[++i];
            while (argument == QLatin1String("--lanes") && i + 1 < arguments.size() &&
                   looksLikeLane(arguments[i + 1].toStdString())) {
                value += QLatin1Char(' ') + arguments[++i];
            }
            if (!apply(line, argument, value)) {
                return wrong(QStringLiteral("%1 does not accept \"%2\"").arg(argument, value));
            }
        } else if (argument.startsWith(QLatin1Char('-'))) {
            return wrong(QStringLiteral("unknown option %1").arg(argument));
        } else if (!line.file.isEmpty()) {
            return wrong(QStringLiteral("unexpected argument \"%1\": open one campaign at a time").arg(argument));
        } else {
            line.file = argument;
        }
    }
    if (line.demo && !line.file.isEmpty()) {
        return wrong(QStringLiteral("--demo names its own campaign"));
    }
    if (line.file.isEmpty() && (line.run || line.kernel || line.second || !line.lanes.isEmpty())) {
        return wrong(QStringLiteral("--run, --kernel and --second need a campaign file"));
    }
    if (line.screenshot.isEmpty() && !line.panel.isEmpty() && line.file.isEmpty()) {
        return wrong(QStringLiteral("--panel needs a campaign file"));
    }
    return line;
}

QString usageText() {
    return QStringLiteral(
        "kernel-scientist [FILE.gks | ssh://[USER@]HOST/PATH/FILE.gks | --demo] [--run] [--panel NAME] [--whole]\n"
        "                 [--screenshot OUT.png] [--theme dark|light] [--size WxH] [--kernel ID] [--second ID]\n"
        "                 [--lanes SPEC]\n\n"
        "  --run               start the campaign after opening it\n"
        "  --demo              fp8-gemm running on this CPU, beside a sample campaign of an H200\n"
        "  --screenshot FILE   save a picture of the window (with --panel: of that panel) to FILE and exit\n"
        "  --panel NAME        page or dock to show\n"
        "  --theme dark|light  colours for this time; otherwise as in the settings\n"
        "  --size WxH          size of the window, or of the picture, in pixels: 100x100 to 8000x8000 (picture: "
        "1600x1000)\n"
        "  --whole             with --panel: draw the window with that page in front\n"
        "  --kernel, --second  kernels to select\n"
        "  --lanes SPEC        where kernels are evaluated, here and the next times: local:0 ssh:HOST:gpu0-7\n");
}

} // namespace gks
