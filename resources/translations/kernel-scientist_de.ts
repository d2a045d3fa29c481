<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>LineageItem</name>
    <message>
        <source>suspect</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelChoiceCheck</name>
    <message>
        <source>The base URL must start with https:// or http://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a model name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the name of an environment variable, not the key itself.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PanelList</name>
    <message>
        <source>Lineage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemPage</name>
    <message>
        <source>test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quick</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cpu</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 (one result)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>×%1, width to the power %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel, by paired runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alone, not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;image...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG (*.png);;SVG (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;CSV...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selector and Designer (no experiment)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time, speed over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vs %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timings on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>champion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clock: %1. Intervals: 95 % confidence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intervals are 95 %. Prompts have them as finding %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intervals are 95 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs: %1. Every check uses a fresh secret seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Static report, %1 (compiled, not measured)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waves/SIMD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware counters by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, parent %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, reference kernel %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer&apos;s report, checked against the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with parent %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 vs parent %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiler output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build %1%2, verify %3, measure %4. Sandbox: %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (cached)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waves/SIMD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of LDS give %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 VGPRs give %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> by all paired runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not compared: no paired runs connect the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what ptxas says of the code for the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the compiled %1 code object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>? unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ not done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, contradicts the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 tokens in, %2 out (estimated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, first token after %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 attempts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▸ %1 more lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Included in the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 tokens in addition to the task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; experiment %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, innovation %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time before / time after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 and %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1, %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Attacks: %1, on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Disproved by: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Takes up avenue A%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Rests on findings %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why this parent: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 above the floor. Evidence: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken up by experiment %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>contradicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dismissed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured by probe %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents (*.txt *.md *.markdown *.html *.htm *.pdf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, about %2 tokens%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in every prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No match in the enabled documents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passages, best match first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, passage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes kernels too: who is asked is decided by what each has brought for its cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used by every stage without its own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the next parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proposes experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixes drafts that fail (default: the Writer&apos;s model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checks the Writer&apos;s report against the code (default: the Selector&apos;s model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summarises documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, which lacks: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StageStrip</name>
    <message>
        <source>Selector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Designer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Designer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digest</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message>
        <source>Model: none (tuner)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>correct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undecided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>build failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timed out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cheating suspected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>infrastructure failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tuner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Designer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>building</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>verifying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>proposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not picked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>approved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tuned vs tuned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for your approval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>screening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost unknown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ActivityPanel</name>
    <message>
        <source>Output of model, compiler and judge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of the model, the compiler and the judge appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter output by source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to open the compiler output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to open the verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to open the conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to open the warnings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::AskedBar</name>
    <message>
        <source>a&amp;ll shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure on all benchmark shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every benchmark shape, whatever the campaign measures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What waits to be measured side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What waits to be measured side by side; choose one to take it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Measure side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 beside %2, as soon as a lane is free; at once while the campaign stands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits to be measured side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CalibrationModel</name>
    <message>
        <source>Designer: the model that predicted. Writer: the model that wrote the kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model, tuner or you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions with a measured result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of results inside the predicted range [95 % interval]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured gain over the middle of the predicted range [95 % interval]. Below 1x: too optimistic.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean width of the predicted ranges (upper end / lower end)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift and widening applied to the ranges before use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correction</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CalibrationPanel</name>
    <message>
        <source>&amp;Corrected ranges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corrected ranges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart: predicted and measured gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions by stage and model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each writer has brought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No measured predictions yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each experiment predicts a range for its gain. This page compares predictions with measured gains; the models see the result too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show ranges shifted and widened by how earlier predictions turned out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 results inside the %3 range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>corrected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CalibrationPlot</name>
    <message>
        <source>predicted gain, time before / time after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each measured prediction adds a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted %1, measured %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, tuned vs tuned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted and measured gain</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CampaignCopy</name>
    <message>
        <source>Save a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a copy of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the copy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CampaignFork</name>
    <message>
        <source>Fork into a new campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not forked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CampaignOpener</name>
    <message>
        <source>Opening %1...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping %1...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it there, then try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CampaignSettingsDialog</name>
    <message>
        <source>Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall-time budget in minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token budget in thousands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device-time budget in minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of the best in microseconds at which the run ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments in a row without a new best after which the run ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaign settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mo&amp;dels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Po&amp;licies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Budgets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tuner (searches tunables, needs no model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> us</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Wall time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Device time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends when the best is this fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;No new best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experiments in a row</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CampaignView</name>
    <message>
        <source>Save a &amp;copy...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The campaign as it is now, in one file; it may go on running meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export report...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo the last decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;dit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back your last decision of which nothing has come yet; the History page has all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ChartsPanel</name>
    <message>
        <source>Best so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Geomean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timings by shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples of the running evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time per call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No timings yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run. Each evaluation adds a point.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each measured kernel adds a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a measured kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples appear while a kernel is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart: best time so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart: timings by shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart: samples of the running evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (CPU timings)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples of %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, kernel beside it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CodeReview</name>
    <message>
        <source>Drafts for your approval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a draft to compare it with its parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 draft waits for your approval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 drafts wait for your approval</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ComparePanel</name>
    <message>
        <source>What the compiler made of the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore &amp;whitespace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore whitespace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the kernels are compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference as unified text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No kernels to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel and press Space to compare it with its parent, or Ctrl+click a second kernel. Press A to add it to a table of any kernels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approve the &amp;draft that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the draft that is shown &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;ject the draft that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit the draft that is s&amp;hown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre&amp;vious change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare: as &amp;source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare: as &amp;unified text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare: as &amp;machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare: as &amp;table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No static report yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1; not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines added, removed, changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ComparisonModel</name>
    <message>
        <source>not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paired runs of the two: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no run measured the two beside each other: by a chain of paired runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click: select. Ctrl+click: select as the second</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ComparisonView</name>
    <message>
        <source>What the rows are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison of kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to know of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare &amp;others with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel of the current column comes first, and the ratios are to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the kernel of the current column out of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take all kernels out of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy CS&amp;V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the table, a line for each cell, with ids and units</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::CompileView</name>
    <message>
        <source>What the compiler says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registers, LDS and waves of each function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diagnostics of the compiler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter goes to the place; F8 and Shift+F8 go on from one to the next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The build: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. The source has #line: its own places, which may lie elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile while typing is off (see Settings)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for a pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compiled: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled in %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the last text that compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as in the static report; not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as in the static report; in brackets the difference from %2; not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next diag&amp;nostic of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous diagnostic of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ConversationPanel</name>
    <message>
        <source>Conversation scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Errors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed calls only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompts and replies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt and reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model call that is on its way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 (experiment %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only calls that failed or whose reply was rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Raw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show prompt and reply exactly as sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find in conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find next in conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find previous in conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show raw co&amp;nversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model calls in this campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model calls for this selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tuner makes no model calls. To use a language model, open the campaign settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run. Every model call is kept here with its prompt and reply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel written by a model, or choose “Whole campaign” on the left.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::DiffOverview</name>
    <message>
        <source>Change overview</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::DiffView</name>
    <message>
        <source>Source of the left kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source of the right kernel (selected)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::DockTitle</name>
    <message>
        <source>Float or dock %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::DocumentPage</name>
    <message>
        <source>Document title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use in &amp;prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this document in prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digest of the document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create &amp;digest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create the digest with a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save title and digest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Document passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digest: what matters for this problem. It goes into prompts ahead of single passages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow this document&apos;s digest and passages in prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One call to the Digest model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of text in %3, added %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel digest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more passages. Search to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit of document %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::DraftDecision</name>
    <message>
        <source>A&amp;pprove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reje&amp;ct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ed&amp;it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remark on the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approve the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the code back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Writer gets the code and your remark, and writes another draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neither the draft nor its experiment is tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your source takes the place of the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remark for the Writer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::EmptyState</name>
    <message>
        <source>Next step</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::EvidenceExport</name>
    <message>
        <source>Export to a new folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report: %1/report.html
Root hash: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ExchangeModel</name>
    <message>
        <source>, failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ExperimentEditor</name>
    <message>
        <source>Which experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why it waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rubric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted gain, lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted gain, upper bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Innovation, 0 to 100</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who writes the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who writes the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Approve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approve experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;ject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idea</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rubric: steps the Writer must follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of 100</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How different the idea is from what was tried before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model writes code in this campaign: write it yourself, or name a model. It waits till then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the parent&apos;s source in the editor; the kernel that you evaluate carries out this experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted &amp;gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inno&amp;vation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of the campaign&apos;s writers, or whoever has brought most for the cost when it is time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To merge two kernels or to pick between them by shape, compare them first. A probe measures one thing of the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whoever&apos;s turn it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the stage&apos;s own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, who is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment %1 can no longer be edited. Your text, as an experiment on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No experiment selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New experiment on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add and approve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit of experiment %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ExperimentsPanel</name>
    <message>
        <source>Experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No experiments yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run or Step to get experiments, or add your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an experiment on the selected kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move experiment &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move experiment &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter experiments by state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not picked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::FileDrops</name>
    <message>
        <source>no problem.toml lies in this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is no campaign, kernel or problem pack</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::FindBar</name>
    <message>
        <source>Find in text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, also in 1 other call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, also in %1 other calls</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::FindingEditor</name>
    <message>
        <source>Subject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss or restore finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was tried, in a few words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result and reason, as the models will read it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit of finding %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Based on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contradicted by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By %1, %2%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; ✎ edited by you, kept as written</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::FindingsPanel</name>
    <message>
        <source>Filter findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter findings by state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No findings yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdicts add findings here, with the evaluations they rest on. Findings you add yourself go into the prompts too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures of probes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;finding...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dismiss or restore finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::HelpWindow</name>
    <message>
        <source>Contents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual not found in %1. Reinstall the program, or set GKS_RESOURCES to its resources folder.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::HintForm</name>
    <message>
        <source>Which prompts show the hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint added to every prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hint added to every prompt of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where to look, what to leave alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the %1 is told besides the hint for every stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, has one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::HistoryModel</name>
    <message>
        <source>can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::HistoryPanel</name>
    <message>
        <source>Filter the decisions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the chosen decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every decision of yours, of the models and of the engine is kept here. What has not come to anything yet can be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>everybody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a decision first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A decision of this kind cannot be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It stays</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KernelActions</name>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open kernel page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare with parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to co&amp;mparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A column of the table on the page Compare, beside the second selected kernel and those that are in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show con&amp;versation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cop&amp;y source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xport evidence...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin as next &amp;parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin as &amp;reference kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Ban as parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate &amp;again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit as new kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure beside baseline on all &amp;shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured beside the kernel that speedups refer to, on every benchmark shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure beside the second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured beside the kernel that is selected as the second (Ctrl+click), on every benchmark shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fork from here...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new campaign that begins with this kernel, with the findings and documents of this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure beside baseline %1 on all &amp;shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from co&amp;mparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Un&amp;ban as parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure beside %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate &amp;now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KernelPanel</name>
    <message>
        <source>Why the edit cannot be evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate &amp;now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near-duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No kernel selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel in the lineage to see its source, times and evidence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluates this kernel and what it is compared with, and nothing else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the new kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;valuate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate the edited kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds it to the population; it is evaluated at once, or next while the campaign runs (Ctrl+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export evidence for this kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export sources, samples, checks and a report to a folder that replay can verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate the &amp;edited kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with near-&amp;duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the earlier, nearly identical kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New kernel, based on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate or discard this edit first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not opened: evaluate or discard this edit first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probe, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits; the campaign stands</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KernelSearch</name>
    <message>
        <source>No kernel found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of them folded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KernelTable</name>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KnowledgeList</name>
    <message>
        <source>Section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Included in every prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No documents yet. Drop files here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (off)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::KnowledgePanel</name>
    <message>
        <source>Search documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knowledge per prompt, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sections and documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Section or passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No section selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a section on the left, or add manuals, papers and notes (text, Markdown, HTML, PDF). Relevant passages go into the prompts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token limit for sections, digests and passages in one prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tokens per prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add d&amp;ocuments...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Available: machine notes %1 tokens, documents %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creating digest of %1...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no campaign file to read the document from</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LaneRow</name>
    <message>
        <source>Progress of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel work on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel all current work and pause; kernels and experiments stay queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-enable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-enable device %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disabled: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LanesDialog</name>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong with the devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where kernels are evaluated: local:0 is device 0 of the campaign&apos;s target, folder:DIR a folder whose jobs another machine works off. Empty: the campaign&apos;s own device. Used when the campaign is opened the next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;folder...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of jobs and results</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LineageMinimap</name>
    <message>
        <source>Lineage minimap</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LineageModel</name>
    <message>
        <source>1 shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 not decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, banned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Champion on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vs parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LineagePanel</name>
    <message>
        <source>No kernels yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The seed kernels appear here when a campaign is open. New kernels hang below them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show lineage as &amp;table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lineage as &amp;picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lineage as a picture. The button beside the title lets the dock float and grow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold all kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold families and rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow lineage &amp;downward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit lineage in view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Collapse or expand descendants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next kernel found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous kernel found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search kernels by ID, title, verdict, author or source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::LineageView</name>
    <message>
        <source>Kernel lineage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the arrow keys to move through the tree and digits to jump to a kernel. Show lineage as table lists the same kernels for screen readers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speedup over %1: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made from %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vs parent: </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MachineCodeDifference</name>
    <message>
        <source>What the machine code is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference of the machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 are compiled for their machine code.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sources cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no machine code. The code is made for AMD&apos;s gfx942, whatever measures the kernel. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, without registers and addresses, which differ in every build</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MachineCodeModel</name>
    <message>
        <source> (the first of more)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a header: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the source; without one the instruction is of a header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes from the begin of the function, hexadecimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it goes, and whether the wave waits; scratch is memory that spills go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A branch shows where it leads</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MachineCodePanel</name>
    <message>
        <source>Machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the code is for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions by cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Difference from parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the difference from the parent&apos;s machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registers and addresses are left out: they differ in every build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine code: &amp;difference from the parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine code of a kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select one in the lineage: it is compiled, and its instructions stand beside its source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is compiled for its machine code.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its source cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no machine code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The code is made for AMD&apos;s gfx942, whatever measures the kernel. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as the static report: not what the %2 target runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MainWindow</name>
    <message>
        <source>Campaigns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New campaign...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open campaign...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A campaign of a model on an NVIDIA H200, read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try it here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fp8-gemm on this machine&apos;s CPU with the tuner, running at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Devices...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;dit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toggle &amp;dark theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the manual at the section for the current page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Command palette...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About GPU Kernel Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About GPU Kernel Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU Kernel Scientist %1
GPL-3.0-or-later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 - GPU Kernel Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU Kernel Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot open campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the sample...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making the demo campaign...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaign still running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This campaign is still running. Close it anyway?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished evaluations are kept in every case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep running in background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause after the &amp;current kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved yet:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept text comes back when the campaign is opened again. Saving the kernel keeps the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept text comes back when the campaign is opened again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save as new kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep for next time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;tay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another user&apos;s program or another machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The campaign is open elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is open elsewhere: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch opens it read-only and follows the run. One program at a time may change a campaign.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Take over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a campaign (.gks), kernels (.hip) or the folder of a problem pack</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MessageLabel</name>
    <message>
        <source>&amp;Copy message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ModelAddress</name>
    <message>
        <source>Base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Browse...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comm&amp;and</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base &amp;URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>https://...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command that answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gets the prompt on standard input and prints the reply. Runs with your rights, without a shell, in an empty folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for requests and replies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full path of a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each prompt is written as 0001.request.md. Put the reply beside it as 0001.reply.md.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ runs %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ folder not found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ModelForm</name>
    <message>
        <source>connect </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit for connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest wait for a connection to the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>silence </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit for silence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest silence of a server that has the request: a model that thinks may send nothing for minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit for the whole call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest time from sending a request to the end of its reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a refused request is tried again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a request is tried again that the server did not accept: it is not there, busy or overloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment variable with the API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set &amp;key...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store the API key in the keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning effort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum output tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resend after &amp;silence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resend after silence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment variable that holds the API key; its keyring entry has the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking is not counted: it gets room of its own, see models.toml</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends a request again that was accepted and got no whole reply; it may be billed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send one small request to check base URL, API key and model name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key &amp;variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reasoning effort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ma&amp;x output tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;imits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tr&amp;y again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No API key needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command gets no key from the environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No API key (fine for a local server)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ Found in the environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ Found in the keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ Not set in the environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ Not in the environment or the keyring. Use Set key... to store it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ Not set in the environment; the keyring is unavailable: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is stored only in the desktop keyring. Leave it empty to remove the stored key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the recording file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ Reply after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for a reply in the folder...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Testing...</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::MoreSettings</name>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goal in microseconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End after experiments without a new best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring time of one kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts of an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure the built-in &amp;probes first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure the built-in probes first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which shapes are measured; on the CPU every choice means the pack&apos;s shapes for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no goal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends after so many experiments in a row without a new best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often a model writes each experiment, side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;vice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;hapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End a&amp;fter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meas&amp;uring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dr&amp;afts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::NewCampaignDialog</name>
    <message>
        <source>Folder of a problem pack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels to begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HIP sources (*.hip);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaign file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Browse for a problem pack...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse for a problem pack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About the problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check &amp;code before it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check code before it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall-time budget in minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bro&amp;wse...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the campaign file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cr&amp;eate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1   your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same HIP source runs on the CPU. Timings are CPU timings; the static report is for gfx942.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a problem.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick at least one kernel to begin with, or add one of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No device found for this target. Choose another target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a campaign file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file already exists. Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with problem.toml, reference.cpp, notes.md and seeds; it is checked at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tuner (searches tunables, needs no model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A draft of a model waits until you approve its code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Te&amp;mplate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See&amp;ds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;ode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall t&amp;ime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost (US&amp;D)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More settin&amp;gs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::NextParentCard</name>
    <message>
        <source>P&amp;in selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>U&amp;npin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin the selected kernel as the next parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin the next parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not selected yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected automatically during a run. To choose it yourself, select a kernel and press P.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference kernel: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin %1 as the next parent (P)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::OutlineDelegate</name>
    <message>
        <source>suspected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::OutlineModel</name>
    <message>
        <source>%1 variants, none accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 variants, best %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, on the best path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kernels folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kernels folded, best %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::OutlineView</name>
    <message>
        <source>Outline of kernels</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PageBar</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PersonDialog</name>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Send reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste the reply here (the JSON object the prompt asks for)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Decline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decline to reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage fails. Closing this window does the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply for the %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply as the %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 is waiting for your reply. Copy the prompt, get a reply elsewhere, and paste it below.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PlanModel</name>
    <message>
        <source>Added (+), removed (-) or changed (~) since the parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the device is asked to do, in the order of the calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel, or what is filled, copied or written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of a launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads of a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamic LDS of a launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations of one stream run in order; events order streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By name where the value is an address of a tensor or equals a dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PlanPanel</name>
    <message>
        <source>Shape of the launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the plan of the parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setup, once before the first call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare &amp;with parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the process with the host code says it: no verdict rests on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;hape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No launch plan yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel in the lineage to see what its solve() asks of the device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The launch plan cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kernel was evaluated without one: by an earlier version, or it did not get as far as a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is made when this kernel is evaluated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vs %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of the parent can be shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PoliciesForm</name>
    <message>
        <source>Policy for the next parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policy for picking experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tuning evaluations per new kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knowledge per prompt, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most calls of models at the same time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts of an experiment, written side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments without a new best after which another kind is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the &amp;Writer&apos;s report with a second model call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the Writer&apos;s report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bui&amp;ld and plan drafts before a device takes them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build and plan drafts before a device takes them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure the &amp;built-in probes first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure the built-in probes before anything else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the Selector model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper confidence bound (fast and little tried)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least explored kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three of five: most innovative, highest potential, most certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Highest expected gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most certain gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most innovative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tuner evaluations for each new kernel with tunables, before its verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of machine notes and documents in one prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A person who answers is asked one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of each experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written side by side, each with another temperature or writer; the best one counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> without a new best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After so many experiments the next round is asked for another kind than most of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What does not build goes back to its writer without a device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their figures open the findings, and the first design reads them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next &amp;parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pick e&amp;xperiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tune new kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Knowledge per prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dra&amp;fts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another k&amp;ind after</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ProblemPage</name>
    <message>
        <source>Problem notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated header problem.h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem pack not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The problem pack of this campaign cannot be loaded. Restore its folder, or set GKS_RESOURCES to the resources folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tolerance for every element: |output - expected| &lt;= **%1** + **%2** · |expected|.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>

| Tensor | Type | Role |
|---|---|---|
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::PromptPanel</name>
    <message>
        <source>Prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to &amp;default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the prompt to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview of the next call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited prompt: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save; the next call uses it (Ctrl+S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the default prompt. Undo works until you save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset prompt to default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last valid preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview of the next call: about %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited, not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>problem pack not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the problem pack to get a preview</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RecentMenu</name>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No campaign was opened yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not there any more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RooflineModel</name>
    <message>
        <source>shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor / time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RooflinePanel</name>
    <message>
        <source>Chart: kernels under the roofs of the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What limits the kernel, by shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a shape for its samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel %1 was not measured: select one that was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel that was measured: its distance from the floor and what binds it are shown shape by shape.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Measured on another device: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RooflinePlot</name>
    <message>
        <source>%1 types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FLOP for each byte, by the problem&apos;s cost model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RoundView</name>
    <message>
        <source>What limits the parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Avenues of the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;sk for this avenue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for this avenue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model said nothing of limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next design has an experiment that takes it up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop asking for it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RunBar</name>
    <message>
        <source>check co&amp;de</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check code before it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic: run the picked experiments. Approve: wait for your approval of each experiment. Step: pause after every round.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A draft of a model waits until you approve its code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run until a budget is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish the running evaluation, then pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run one round, then pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at once; unfinished work starts over with the next run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel current work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the running evaluation or model call and pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Campaign s&amp;ettings...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models, policies, hint and budgets; changes apply from the next step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint in the campaign settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hint stands in the campaign settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum number of evaluations (0 = unlimited)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum cost of model calls (0 = unlimited)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RunNotice</name>
    <message>
        <source>A run has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::RunningList</name>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back into a tab of this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it read-only and follow the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run and open the campaign here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the run. Everything finished is kept</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SampleBar</name>
    <message>
        <source>Sample, read-only: what a model did with the paper&apos;s fp8 GEMM on an NVIDIA H200. Look around; nothing runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try it here: fp8-gemm on this CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it here: fp8-gemm on this CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes a campaign of the same problem and runs it on this machine&apos;s CPU with the tuner: no GPU, no model, no network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New campai&amp;gn...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New campaign</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SampleStrip</name>
    <message>
        <source>Live samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples appear here while a kernel is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 samples, median %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SeedList</name>
    <message>
        <source>Kernels to begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;kernels...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add kernels of your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HIP sources of your own, several at once; they are read when the campaign is made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel that speedups refer to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base&amp;line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1   your own, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compile while typing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile while typing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors, registers, LDS and waves of the kernel that you edit, in the sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me when a &amp;run ends while I look elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me when a run ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcut for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcut used twice: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect at the next start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::ShapeWeightsForm</name>
    <message>
        <source>Weight of the shape %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No kernels were compared on a shape yet: weights can be set when the seeds are measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels are ranked by the weighted geometric mean over these shapes. A shape with the weight 0 is still verified and measured. Verdicts against the parent count every shape once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every shape has the weight 0: give one of them more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SpendModel</name>
    <message>
        <source>%1, %2 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SpendPanel</name>
    <message>
        <source>Group calls by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spend so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart: spend so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tuner makes no model calls. It uses evaluations and device time only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run. Every model call is listed here with its tokens and cost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::StageModels</name>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of a further writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a further writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the further writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a separate model for this stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small letters, digits and hyphens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a separate m&amp;odel: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::StageStrip</name>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::StartPage</name>
    <message>
        <source>Recent campaigns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU Kernel Scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tuner or a language model proposes kernels, the judge builds, verifies and measures them, you steer. Every speedup comes with its evidence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New campaign...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open campaign...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try it here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tuner speeds up fp8-gemm on this CPU. No GPU, model or network needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A campaign of a model on an NVIDIA H200, read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run to start, or Step to run one round.
Select a kernel and press P to pin it as the next parent.
Press Ctrl+Shift+P to find any command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;ismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not show these hints again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::StatusStrip</name>
    <message>
        <source>Show &amp;warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices: not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirmed: measured once more beside the baseline after it had become the best, at the end of a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::SubmittedKernel</name>
    <message>
        <source>Where your kernel went</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your kernel is %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::TableFilters</name>
    <message>
        <source>State of the kernels in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who made the kernels in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape that has a column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Banned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All authors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::TimingPlot</name>
    <message>
        <source>&amp;Reset zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Logarithmic axis</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::TrustDialog</name>
    <message>
        <source>Prompts and the API key go to this server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variable of the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This command is run with your rights, outside the sandbox. It gets the prompts on its standard input.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompts are written into this folder, and replies are read from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference implementation of this problem pack is compiled and run, in the sandbox. It decides what is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust this campaign?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 names the following. Nothing is sent or run before you trust it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Trust</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::UnsavedKeeper</name>
    <message>
        <source>unsaved text is not kept: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save what you type before you close the window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::UnsavedText</name>
    <message>
        <source>Unsaved text from last time was restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved text from last time: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::WatchBar</name>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take &amp;over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the campaign over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only. The run has ended. Take over to go on with it here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the campaign for writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only. Watching: %1, %2, %3, for %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run and open the campaign here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only. Watching: another user&apos;s program or another machine.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gks::WritersModel</name>
    <message>
        <source>own: the stage&apos;s own model. The others are further writers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who answers in its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that it has drafted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernels that passed the judge, of all drafts, repairs too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the highest of its kernels over their parents, time before / time after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by how much its kernels made the fastest of all faster, together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that its drafts took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of its drafts, in money</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of all drafts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by how much the fastest kernel becomes faster for the cost of an ordinary draft; newer drafts weigh more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best faster by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per cost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rewrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dispatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quick</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scalar memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>barrier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>geometric mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weighted geometric mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>static report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>registers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>static shared memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>barriers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scratch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>occupancy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not evaluated yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured on this shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan for this shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a launch plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU timings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>digest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenAI-compatible (OpenAI, vLLM, Ollama, ...)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A command on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder of requests and replies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual (copy the prompt, paste the reply)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancel current</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pin parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unpin parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>select parent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ban</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unban</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take back side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>re-enable device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disable device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>approve code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reject code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send code back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>approve experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reject experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reorder experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>retire experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ask for avenue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop avenue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set budgets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set scientist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set shape weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set policies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dismiss finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>digest document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>enable document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disable document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fork campaign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open the notebook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tune new kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare tuned kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>near-duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop draft</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
