// SPDX-License-Identifier: GPL-3.0-or-later
// Writes fp8_gemm.json, the hand-written replies of a model for a campaign of six new kernels, from the sources in fp8-gemm/.
//   node tests/data/llm/make_fixtures.mjs
import { readFileSync, writeFileSync } from "node:fs";

const folder = new URL(".", import.meta.url);
const source = (name) => readFileSync(new URL(`fp8-gemm/${name}.hip`, folder), "utf8");

// One per stage: words of the system part of prompts/*.md.
const stage = {
  selector: "You are the Evolutionary Selector",
  designer: "You are the Experiment Designer",
  writer: "You write one complete HIP source file",
  repair: "The repair of a kernel that failed is yours",
  checker: "You check what the Kernel Writer of a team says about its own work",
};

const avenues = [
  "Reuse every loaded byte several times from registers.", "Split K between blocks for shapes with few outputs.",
  "Load several neighbouring bytes of b at once.", "Stage only one operand in LDS.", "Put more work between barriers.",
  "Decode fp8 once per block instead of once per thread.", "Renumber the blocks for the caches.", "Overlap loads with arithmetic.",
  "Use the matrix cores.", "Choose the tile by shape.",
];

const rounds = [
  {
    basis_code: "00001", basis_reference: "00002",
    rationale: "The naive kernel reads everything from memory for each output; the LDS-tiled one shows what reuse brings.",
    experiments: [
      { description: "Compute a 4 x 4 tile of outputs per thread in registers.",
        rubric: "Keep 16 partial sums per thread\nLoad 4 values of a and 4 of b per k\nColumns of a thread lie one block width apart\nNo LDS",
        gain: [1.43, 6.67], innovation: 40 },
      { description: "Split K over four blocks and add the parts up with atomics in a float workspace.",
        rubric: "Let gridDim.z be the number of parts\nAdd with atomicAdd into the workspace\nRound to bf16 in a second kernel",
        gain: [0.833, 1.43], innovation: 80 },
      { description: "Let each thread compute eight neighbouring outputs of one row.",
        rubric: "Load 8 bytes of b at once\nOne value of a serves 8 products\nGuard the edge",
        gain: [1.67, 3.33], innovation: 30 },
      { description: "Declare launch bounds.", rubric: "Add __launch_bounds__ to the kernel", gain: [1, 1.03], innovation: 2 },
      { description: "Unroll the loop over k by four.", rubric: "Add #pragma unroll 4", gain: [1, 1.11], innovation: 5 },
    ],
  },
  {
    basis_code: "00002", basis_reference: "00001",
    rationale: "The LDS-tiled kernel spends its time at barriers and on single outputs per thread; both can change.",
    experiments: [
      { description: "Let a block compute 32 x 32 outputs, 2 x 2 per thread.",
        rubric: "Tiles of 32 in m and n\nFour partial sums per thread\nKeep the padding of LDS rows",
        gain: [1.33, 2.5], innovation: 35 },
      { description: "Put 64 k between barriers instead of 16.",
        rubric: "Tiles of 64 x 16\nEach thread loads four values of each operand\nNothing else changes",
        gain: [1.05, 1.33], innovation: 20 },
      { description: "Stage only a in LDS, 128 k at once, and compute a column of eight outputs per thread.",
        rubric: "A panel of 128 x 8 of a as float in LDS\nRead b straight from memory, coalesced\nOne barrier pair per 128 k",
        gain: [1.11, 10], innovation: 75 },
      { description: "Remove the padding of the LDS rows.", rubric: "Rows of 16 floats", gain: [0.952, 1.02], innovation: 5 },
      { description: "Swap the roles of x and y.", rubric: "Let x walk along m", gain: [0.769, 1.05], innovation: 10 },
    ],
  },
];

// Which file answers which experiment.
const written = [
  { experiment: rounds[0].experiments[0], file: "register_tile", title: "Register tile 4 x 4" },
  { experiment: rounds[0].experiments[1], file: "split_k_broken", repaired: "split_k", title: "Split K over four blocks" },
  { experiment: rounds[0].experiments[2], file: "row_of_eight", title: "Eight outputs per thread" },
  { experiment: rounds[1].experiments[0], file: "lds_2x2", title: "LDS tile 32, 2 x 2 per thread" },
  { experiment: rounds[1].experiments[1], file: "lds_deep_step", title: "LDS-tiled, 64 k per step" },
  { experiment: rounds[1].experiments[2], file: "lds_only_a", title: "Only a in LDS, 8 outputs" },
];

// What every experiment says beside it. The first of a round is its rewrite.
const diagnosis = [{ shapes: "all", limit: "loads from memory", evidence: "every value is read once for each output", headroom: 20 }];
const worked = (experiments) => experiments.map((experiment, index) => ({
  avenue: index < avenues.length ? String(index + 1) : "", limit: "loads from memory", shapes: "all", kind: index === 0 ? "rewrite" : "change",
  disproof: "the time of the largest shape does not fall", ...experiment }));
const reply = (systemMessage, match, content) => ({ match: { systemMessage, ...match }, response: { content: JSON.stringify(content) } });
const draft = (entry, file) => ({
  title: entry.title,
  report: entry.experiment.rubric.split("\n").map((item) => ({ item, used: true, note: "as asked" })),
  source: source(file),
  edits: [],
});

const fixtures = [];
rounds.forEach(({ experiments, ...selection }, number) => {
  const turn = number + 1 < rounds.length ? { sequenceIndex: number } : {};
  fixtures.push(reply(stage.selector, turn, selection));
  fixtures.push(reply(stage.designer, { userMessage: `<kernel id="${selection.basis_code}">` }, { diagnosis, avenues, experiments: worked(experiments) }));
});
for (const entry of written) {
  const userMessage = `<experiment>\n${entry.experiment.description}`;
  fixtures.push(reply(stage.writer, { userMessage }, draft(entry, entry.file)));
  const items = entry.experiment.rubric.split("\n");
  fixtures.push(reply(stage.checker, { userMessage }, {
    items: items.map((item, index) => ({ number: index + 1, verdict: "done", evidence: "The added lines show it." })) }));
  if (entry.repaired) {
    fixtures.push(reply(stage.repair, { userMessage }, draft(entry, entry.repaired)));
  }
}

// A short campaign for every provider (campaign.json), in which each thing goes wrong once: the first draft copies a seed under other
// names, the second does not compile and comes back mended by an edit, one report claims what was not done.
const naive = readFileSync(new URL("../../../resources/problems/fp8-gemm/seeds/naive.hip", folder), "utf8");
const renamed = [["scale_cols", "groups"], ["partial", "block_sum"], ["acc", "sum"], ["row", "line"], ["col", "column"], ["kb", "step"]]
  .reduce((text, [from, to]) => text.replace(new RegExp(`\\b${from}\\b`, "g"), to), naive)
  .replace(/\/\/.*$/gm, "");
const [copied, broken, honest] = written;
const about = (entry) => ({ userMessage: `<experiment>\n${entry.experiment.description}` });
const check = (entry, undone) => reply(stage.checker, about(entry), {
  items: entry.experiment.rubric.split("\n").map((item, index) => index === undone
    ? { number: index + 1, verdict: "not done", evidence: "No added line does it." }
    : { number: index + 1, verdict: "done", evidence: "The added lines show it." }) });
const declaration = "    const int scale_cols = (p.n + 127) / 128;\n";
const mended = source(broken.repaired);
const after = mended.slice(mended.indexOf(declaration) + declaration.length).split("\n")[0] + "\n";
const [first] = rounds;
const { experiments: proposed, ...chosen } = first;
const campaign = [
  reply(stage.selector, {}, chosen),
  reply(stage.designer, {}, { diagnosis, avenues, experiments: worked(proposed) }),
  reply(stage.writer, { userMessage: "the same as kernel 00001" }, draft(copied, copied.file)),
  reply(stage.writer, about(copied), { ...draft(copied, copied.file), source: renamed }),
  check(copied, 3),
  reply(stage.writer, about(broken), draft(broken, broken.file)),
  reply(stage.repair, about(broken), { ...draft(broken, broken.file), source: "", edits: [{ search: after, replace: declaration + after }] }),
  check(broken),
  reply(stage.writer, about(honest), draft(honest, honest.file)),
  check(honest),
];
writeFileSync(new URL("campaign.json", folder), JSON.stringify({ fixtures: campaign }, null, 1) + "\n");
writeFileSync(new URL("fp8_gemm.json", folder), JSON.stringify({ fixtures }, null, 1) + "\n");
