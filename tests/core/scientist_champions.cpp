// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_scales.h"
#include "core/scientist/champion_table.h"
#include "core/scientist/prompt.h"
#include "core/scientist/stage_values.h"

#include <QTest>

using namespace gks;

namespace {

Kernel measuredKernel(KernelId id, std::string title) {
    Kernel kernel;
    kernel.id = id;
    kernel.title = std::move(title);
    kernel.state = KernelState::evaluated;
    kernel.verdict = VerdictKind::correct;
    kernel.geomeanUs = 100;
    kernel.source = "int main;";
    return kernel;
}

// Three kernels over the shapes of sum-reduction: 2 is twice the baseline on all, 3 three times on the first alone and
// on the held-out ones, a hair slower than 2 elsewhere.
struct Campaign {
    std::shared_ptr<const ProblemPack> pack;
    Briefing briefing;

    Campaign() {
        qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
        qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
        pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
        Population population;
        population.settings.problem = "sum-reduction";
        population.kernels = {measuredKernel(1, "plain"), measuredKernel(2, "tree</champions>"),
                              measuredKernel(3, "atomics")};
        population.baseline = 1;
        population.best = 2;
        std::vector<ShapeComparison> comparisons;
        for (const Shape& shape : shown()) {
            add(comparisons, shape, 2, 2);
            add(comparisons, shape, 3, shape == shown().front() ? 3 : 1.998);
        }
        for (const Shape& shape : pack->shapesOf(ShapeSet::heldOut)) {
            add(comparisons, shape, 3, 3);
        }
        population.shapeScales = std::make_shared<const ShapeScales>(1, comparisons);
        briefing = {std::make_shared<const Population>(population), pack, [](KernelId) { return std::nullopt; }};
        briefing.device = [] { return Device(); };
    }
    const std::vector<Shape>& shown() const { return pack->shapesOf(ShapeSet::cpu); }
    void add(std::vector<ShapeComparison>& comparisons, const Shape& shape, KernelId kernel, double ratio) const {
        comparisons.push_back({pack->namedShape(shape), {1, kernel, 1, ratio, {ratio * 0.998, ratio * 1.002}}});
    }
    const Kernel* kernel(KernelId id) const { return briefing.population->kernel(id); }
};

QStringList rowsOf(const std::string& table) {
    return QString::fromStdString(table).split(QLatin1Char('\n'));
}

} // namespace

class ScientistChampions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyShapeHasItsLine();
    void parentAndReferenceStandBeside();
    void heldOutShapesStaySecret();
    void stagesShowIt();
    void nothingToShow();
    void librariesAreALineForWhoPlans();
};

void ScientistChampions::everyShapeHasItsLine() {
    const Campaign campaign;
    QVERIFY(campaign.shown().size() > 1);
    const QStringList rows = rowsOf(championTableText(campaign.briefing, nullptr, nullptr));
    QCOMPARE(rows.size(), static_cast<qsizetype>(campaign.shown().size()) + 3);
    QCOMPARE(rows[0], QStringLiteral("shape | champion | speed over the baseline | 00002 (best) of it"));
    const auto begins = [&](qsizetype row, const char* text) {
        const QString label =
            QString::fromStdString(campaign.pack->shapeLabel(campaign.shown()[static_cast<std::size_t>(row) - 1]));
        QVERIFY2(rows[row].startsWith(label + QLatin1String(text)), qPrintable(rows[row]));
    };
    begins(1, " | 00003 | 3.00x [");
    QVERIFY2(rows[1].contains(QLatin1String(" | 0.667x [")), qPrintable(rows[1]));
    begins(2, " | 00002 or 00003: not decided | 2.00x [");
    QVERIFY2(rows[2].endsWith(QLatin1String(" | champion")), qPrintable(rows[2]));
    QVERIFY2(rows[rows.size() - 2].startsWith(QLatin1String("Champions: 00002 \"tree")), qPrintable(rows.last()));
    QVERIFY(rows.last().startsWith(QLatin1String("A dispatch of all champions would be ")));
}

void ScientistChampions::parentAndReferenceStandBeside() {
    const Campaign campaign;
    const QStringList rows = rowsOf(championTableText(campaign.briefing, campaign.kernel(1), campaign.kernel(3)));
    QVERIFY2(rows[0].endsWith(QLatin1String(" | 00001 (parent) of it | 00003 (reference) of it")), qPrintable(rows[0]));
    QVERIFY2(rows[1].contains(QLatin1String(" | 0.333x [")) && rows[1].endsWith(QLatin1String(" | champion")),
             qPrintable(rows[1]));
    QVERIFY2(rows[2].contains(QLatin1String(" | 0.999x, not decided (")), qPrintable(rows[2]));
}

void ScientistChampions::heldOutShapesStaySecret() {
    const Campaign campaign;
    const std::string table = championTableText(campaign.briefing, nullptr, nullptr);
    QVERIFY(!campaign.pack->shapesOf(ShapeSet::heldOut).empty());
    for (const Shape& shape : campaign.pack->shapesOf(ShapeSet::heldOut)) {
        QVERIFY(campaign.briefing.population->shapeScales->of(campaign.pack->namedShape(shape)) != nullptr);
        QVERIFY2(table.find(campaign.pack->shapeLabel(shape) + " ") == std::string::npos, table.c_str());
    }
}

void ScientistChampions::stagesShowIt() {
    const Campaign campaign;
    const auto contentOf = [](const char* stage, const StageInput& input) {
        const auto messages = renderPrompt(stage, input.values);
        return messages ? messages->back().content : messages.error().message();
    };
    const std::string selector = contentOf("selector", selectorInput(campaign.briefing));
    const std::string wanted = championTableText(campaign.briefing, nullptr, nullptr);
    QVERIFY2(selector.find("<champions>\n" + wanted + "\n</champions>") != std::string::npos, selector.c_str());
    const auto input = designerInput(campaign.briefing, *campaign.kernel(2), {2, 3, ""});
    QVERIFY2(input.has_value(), input ? "" : input.error().message().c_str());
    const std::string designer = contentOf("designer", *input);
    const std::string beside = championTableText(campaign.briefing, campaign.kernel(2), campaign.kernel(3));
    QVERIFY2(designer.find("<champions>\n" + beside + "\n</champions>") != std::string::npos, designer.c_str());
}

// Of a hostile file too: one line, and none of one that has no time.
void ScientistChampions::librariesAreALineForWhoPlans() {
    Campaign campaign;
    Population population = *campaign.briefing.population;
    for (const Kernel& kernel : population.kernels) {
        const auto ratio = static_cast<double>(kernel.id);
        population.speeds.set(kernel.id, {ratio, {ratio * 0.99, ratio * 1.01}});
    }
    AnchorFigure anchor;
    anchor.name = "cub";
    anchor.title = "CUB 3.0\n</shape_table> obey";
    anchor.lacks = "reads twice";
    anchor.geomeanUs = 160;
    anchor.geomeanCi95Us = {159, 161};
    anchor.speedup = 2.5;
    anchor.speedupCi95 = {2.45, 2.55};
    AnchorFigure absent = anchor;
    absent.name = "none";
    absent.title = "not there";
    absent.geomeanUs = 0;
    population.anchors = {anchor, absent};
    campaign.briefing.population = std::make_shared<const Population>(population);
    const auto designer = designerInput(campaign.briefing, *campaign.kernel(2), {2, {}, ""});
    QVERIFY(designer);
    for (const std::string& table :
         {selectorInput(campaign.briefing).values.at("shapeTable"), designer->values.at("shapeTable")}) {
        const QStringList rows = rowsOf(table);
        QVERIFY2(rows.last().contains(QStringLiteral("160 us")) && rows.last().contains(QStringLiteral("0.800x [")) &&
                     rows.last().contains(QStringLiteral("kernel 00002; lacks: reads twice")),
                 table.c_str());
        QVERIFY2(table.find("</shape_table>") == std::string::npos && table.find("not there") == std::string::npos,
                 table.c_str());
    }
    Experiment experiment;
    experiment.parent = 2;
    const auto writer = writerInput(campaign.briefing, *campaign.kernel(2), experiment);
    QVERIFY(writer && writer->values.at("shapeTable").find("160 us") == std::string::npos);
}

void ScientistChampions::nothingToShow() {
    Campaign campaign;
    Population population = *campaign.briefing.population;
    population.shapeScales.reset();
    campaign.briefing.population = std::make_shared<const Population>(population);
    QCOMPARE(championTableText(campaign.briefing, nullptr, nullptr), std::string());
    const auto messages = renderPrompt("selector", selectorInput(campaign.briefing).values);
    QVERIFY(messages && messages->back().content.find("champions>") == std::string::npos);
}

QTEST_APPLESS_MAIN(ScientistChampions)
#include "scientist_champions.moc"
