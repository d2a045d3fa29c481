<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>LineageItem</name>
    <message>
        <source>suspect</source>
        <translation>verdächtig</translation>
    </message>
</context>
<context>
    <name>ModelChoiceCheck</name>
    <message>
        <source>The base URL must start with https:// or http://.</source>
        <translation>Die Basis-URL muss mit https:// oder http:// beginnen.</translation>
    </message>
    <message>
        <source>Enter a model name.</source>
        <translation>Einen Modellnamen eingeben.</translation>
    </message>
    <message>
        <source>Enter the name of an environment variable, not the key itself.</source>
        <translation>Den Namen einer Umgebungsvariable eingeben, nicht den Key selbst.</translation>
    </message>
</context>
<context>
    <name>PanelList</name>
    <message>
        <source>Lineage</source>
        <translation>Abstammung</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation>Maschinencode</translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation>Launch-Plan</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Erkenntnisse</translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation>Wissen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>Spend</source>
        <translation>Verbrauch</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
</context>
<context>
    <name>PlanWords</name>
    <message>
        <source>1 launch</source>
        <translation>1 Launch</translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 Launches</translation>
    </message>
    <message>
        <source>1 fill</source>
        <translation>1 Füllen</translation>
    </message>
    <message>
        <source>%1 fills</source>
        <translation>%1 Füllen</translation>
    </message>
    <message>
        <source>1 copy</source>
        <translation>1 Kopie</translation>
    </message>
    <message>
        <source>%1 copies</source>
        <translation>%1 Kopien</translation>
    </message>
    <message>
        <source>1 write</source>
        <translation>1 Schreiben</translation>
    </message>
    <message>
        <source>%1 writes</source>
        <translation>%1 Schreiben</translation>
    </message>
    <message>
        <source>%1 on 1 stream</source>
        <translation>%1 auf 1 Stream</translation>
    </message>
    <message>
        <source>%1 on %2 streams</source>
        <translation>%1 auf %2 Streams</translation>
    </message>
    <message>
        <source>%1, workspace %2</source>
        <translation>%1, Arbeitsspeicher %2</translation>
    </message>
    <message>
        <source>solve() took %1, the first time %2</source>
        <translation>solve() brauchte %1, beim ersten Mal %2</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>%1 added, %2 removed, %3 changed</source>
        <translation>%1 hinzugefügt, %2 entfernt, %3 geändert</translation>
    </message>
</context>
<context>
    <name>ProblemPage</name>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation>Benchmark</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>held-out</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>CPU</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 (one result)</source>
        <translation>%1 (ein Ergebnis)</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>Bisher bester</translation>
    </message>
    <message>
        <source>Export &amp;image...</source>
        <translation>&amp;Bild exportieren...</translation>
    </message>
    <message>
        <source>Export image</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>PNG (*.png);;SVG (*.svg)</source>
        <translation>PNG (*.png);;SVG (*.svg)</translation>
    </message>
    <message>
        <source>Export &amp;CSV...</source>
        <translation>&amp;CSV exportieren...</translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation>CSV exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>Shape: %1</source>
        <translation>Shape: %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>Elternkernel</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>Selector and Designer (no experiment)</source>
        <translation>Selector und Designer (kein Experiment)</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>%1 of %2 left</source>
        <translation>%1 von %2 übrig</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Time, speed over %1</source>
        <translation>Zeit, Speedup gegenüber %1</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Instruktionen</translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation>Launch-Plan</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>this kernel</source>
        <translation>dieser Kernel</translation>
    </message>
    <message>
        <source>vs %1</source>
        <translation>gegen %1</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Timings on %1</source>
        <translation>Zeiten auf %1</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Figures of %1</source>
        <translation>Kennzahlen von %1</translation>
    </message>
    <message>
        <source>Intervals are 95 %. Prompts have them as finding %1.</source>
        <translation>Intervalle sind 95 %. In Prompts stehen sie als Erkenntnis %1.</translation>
    </message>
    <message>
        <source>Intervals are 95 %.</source>
        <translation>Intervalle sind 95 %.</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>Max. Fehler</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>%1, a sample</source>
        <translation>%1, Stichprobe</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>Inputs: %1. Every check uses a fresh secret seed.</source>
        <translation>Eingaben: %1. Jeder Test nutzt einen neuen geheimen Seed.</translation>
    </message>
    <message>
        <source>Static report, %1 (compiled, not measured)</source>
        <translation>Statischer Report, %1 (kompiliert, nicht gemessen)</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Spills</source>
        <translation>Spills</translation>
    </message>
    <message>
        <source>Waves/SIMD</source>
        <translation>Waves/SIMD</translation>
    </message>
    <message>
        <source>Hardware counters</source>
        <translation>Hardwarezähler</translation>
    </message>
    <message>
        <source>Hardware counters by %1</source>
        <translation>Hardwarezähler von %1</translation>
    </message>
    <message>
        <source>none: %1</source>
        <translation>keine: %1</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>By %1, %2</source>
        <translation>Durch %1, %2</translation>
    </message>
    <message>
        <source>, parent %1</source>
        <translation>, Elternkernel %1</translation>
    </message>
    <message>
        <source> and %1</source>
        <translation> und %1</translation>
    </message>
    <message>
        <source>, reference kernel %1</source>
        <translation>, Referenzkernel %1</translation>
    </message>
    <message>
        <source>Writer&apos;s report, checked against the code</source>
        <translation>Report des Writers, am Code geprüft</translation>
    </message>
    <message>
        <source>%1: %2 vs parent %3</source>
        <translation>%1: %2 gegen Elternkernel %3</translation>
    </message>
    <message>
        <source>Compiler output</source>
        <translation>Compilerausgabe</translation>
    </message>
    <message>
        <source>Build %1%2, verify %3, measure %4. Sandbox: %5</source>
        <translation>Build %1%2, Prüfung %3, Messung %4. Sandbox: %5</translation>
    </message>
    <message>
        <source> (cached)</source>
        <translation> (aus dem Cache)</translation>
    </message>
    <message>
        <source>%1 waves/SIMD</source>
        <translation>%1 Waves/SIMD</translation>
    </message>
    <message>
        <source>%1 of LDS give %2</source>
        <translation>%1 LDS ergeben %2</translation>
    </message>
    <message>
        <source>%1 VGPRs give %2</source>
        <translation>%1 VGPRs ergeben %2</translation>
    </message>
    <message>
        <source>%1 more functions</source>
        <translation>%1 weitere Funktionen</translation>
    </message>
    <message>
        <source>not compared: no paired runs connect the two</source>
        <translation>nicht verglichen: keine gepaarten Läufe verbinden die beiden</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>what ptxas says of the code for the card</source>
        <translation>was ptxas zum Code für die Karte sagt</translation>
    </message>
    <message>
        <source>the compiled %1 code object</source>
        <translation>das kompilierte %1-Code-Objekt</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation>Behauptet</translation>
    </message>
    <message>
        <source>In the code</source>
        <translation>Im Code</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>? unclear</source>
        <translation>? unklar</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ erledigt</translation>
    </message>
    <message>
        <source>✗ not done</source>
        <translation>✗ nicht erledigt</translation>
    </message>
    <message>
        <source>, contradicts the report</source>
        <translation>, widerspricht dem Report</translation>
    </message>
    <message>
        <source>about %1 tokens in, %2 out (estimated)</source>
        <translation>etwa %1 Token ein, %2 aus (geschätzt)</translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out</source>
        <translation>%1 Token ein, %2 aus</translation>
    </message>
    <message>
        <source>%1, first token after %2</source>
        <translation>%1, erstes Token nach %2</translation>
    </message>
    <message>
        <source>%1 attempts</source>
        <translation>%1 Versuche</translation>
    </message>
    <message>
        <source>▸ %1 more lines</source>
        <translation>▸ %1 weitere Zeilen</translation>
    </message>
    <message>
        <source>%1 characters</source>
        <translation>%1 Zeichen</translation>
    </message>
    <message>
        <source>Included in the prompt</source>
        <translation>Im Prompt enthalten</translation>
    </message>
    <message>
        <source>about %1 tokens in addition to the task</source>
        <translation>etwa %1 Token zusätzlich zur Aufgabe</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Report</translation>
    </message>
    <message>
        <source>✓ yes</source>
        <translation>✓ ja</translation>
    </message>
    <message>
        <source>✗ no</source>
        <translation>✗ nein</translation>
    </message>
    <message>
        <source>, from %1</source>
        <translation>, aus %1</translation>
    </message>
    <message>
        <source>; experiment %1: %2</source>
        <translation>; Experiment %1: %2</translation>
    </message>
    <message>
        <source>%1 of %2 and %3, %4</source>
        <translation>%1 von %2 und %3, %4</translation>
    </message>
    <message>
        <source>On %1, %2, %3</source>
        <translation>Auf %1, %2, %3</translation>
    </message>
    <message>
        <source>
Attacks: %1, on %2</source>
        <translation>
Angriffspunkt: %1, auf %2</translation>
    </message>
    <message>
        <source>
Disproved by: %1</source>
        <translation>
Widerlegt durch: %1</translation>
    </message>
    <message>
        <source>
Rests on findings %1</source>
        <translation>
Stützt sich auf Erkenntnisse %1</translation>
    </message>
    <message>
        <source>Why this parent: %1</source>
        <translation>Warum dieser Elternkernel: %1</translation>
    </message>
    <message>
        <source>%1: %2, %3 above the floor. Evidence: %4</source>
        <translation>%1: %2, %3 über der Untergrenze. Nachweis: %4</translation>
    </message>
    <message>
        <source>taken up by experiment %1</source>
        <translation>aufgegriffen von Experiment %1</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>supported</source>
        <translation>gestützt</translation>
    </message>
    <message>
        <source>contradicted</source>
        <translation>widerlegt</translation>
    </message>
    <message>
        <source>dismissed</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>measured by probe %1</source>
        <translation>gemessen durch Probe %1</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>Dokumente hinzufügen</translation>
    </message>
    <message>
        <source>Documents (*.txt *.md *.markdown *.html *.htm *.pdf);;All files (*)</source>
        <translation>Dokumente (*.txt *.md *.markdown *.html *.htm *.pdf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1, about %2 tokens%3</source>
        <translation>%1, etwa %2 Token%3</translation>
    </message>
    <message>
        <source>, in every prompt</source>
        <translation>, in jedem Prompt</translation>
    </message>
    <message>
        <source>No match in the enabled documents.</source>
        <translation>Kein Treffer in den aktivierten Dokumenten.</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 Passage</translation>
    </message>
    <message>
        <source>%1 passages, best match first</source>
        <translation>%1 Passagen, bester Treffer zuerst</translation>
    </message>
    <message>
        <source>%1, passage %2</source>
        <translation>%1, Passage %2</translation>
    </message>
    <message>
        <source>writes kernels too: who is asked is decided by what each has brought for its cost</source>
        <translation>schreibt auch Kernel: wer gefragt wird, hängt davon ab, was jeder für seine Kosten gebracht hat</translation>
    </message>
    <message>
        <source>Used by every stage without its own model</source>
        <translation>Für jede Stufe ohne eigenes Modell</translation>
    </message>
    <message>
        <source>Selects the next parent</source>
        <translation>Wählt den nächsten Elternkernel</translation>
    </message>
    <message>
        <source>Proposes experiments</source>
        <translation>Schlägt Experimente vor</translation>
    </message>
    <message>
        <source>Writes kernels</source>
        <translation>Schreibt Kernel</translation>
    </message>
    <message>
        <source>Fixes drafts that fail (default: the Writer&apos;s model)</source>
        <translation>Repariert fehlgeschlagene Entwürfe (Standard: Modell des Writers)</translation>
    </message>
    <message>
        <source>Checks the Writer&apos;s report against the code (default: the Selector&apos;s model)</source>
        <translation>Prüft den Report des Writers am Code (Standard: Modell des Selectors)</translation>
    </message>
    <message>
        <source>Summarises documents</source>
        <translation>Fasst Dokumente zusammen</translation>
    </message>
    <message>
        <source>, which lacks: %1</source>
        <translation>, ohne: %1</translation>
    </message>
    <message>
        <source>no floor is known</source>
        <translation>keine Untergrenze bekannt</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>Champion</source>
        <translation>Champion</translation>
    </message>
    <message>
        <source>%1 vs parent %2</source>
        <translation>%1 ggü. Elternkernel %2</translation>
    </message>
    <message>
        <source>These times are of the run that the kernel&apos;s verdict is of. A later one, %1, took %2.</source>
        <translation>Diese Zeiten sind aus dem Lauf, aus dem das Urteil über den Kernel stammt. Ein späterer, %1, brauchte %2.</translation>
    </message>
    <message>
        <source>It is compiled for %1. %2</source>
        <translation>Kompiliert wird für %1. %2</translation>
    </message>
    <message>
        <source>The build that was judged: %1, %2 registers, %3 shared, %4 spilled</source>
        <translation>Der beurteilte Build: %1, %2 Register, %3 Shared Memory, %4 ausgelagert</translation>
    </message>
    <message>
        <source> by their newest paired run</source>
        <translation> nach ihrem neuesten gepaarten Lauf</translation>
    </message>
    <message>
        <source> by a chain of paired runs</source>
        <translation> über eine Kette gepaarter Läufe</translation>
    </message>
    <message>
        <source>innovation %1</source>
        <translation>Innovation %1</translation>
    </message>
    <message>
        <source>inn. %1</source>
        <translation>Inn. %1</translation>
    </message>
    <message>
        <source>taken on a busy machine: too unsure to say</source>
        <translation>auf einer ausgelasteten Maschine gemessen: zu unsicher für eine Aussage</translation>
    </message>
    <message>
        <source>bound by FLOP, %1 of the floor</source>
        <translation>begrenzt durch FLOP, %1 der Untergrenze</translation>
    </message>
    <message>
        <source>bound by bytes, %1 of the floor</source>
        <translation>begrenzt durch Bytes, %1 der Untergrenze</translation>
    </message>
    <message>
        <source>bound by neither peak, %1 of the floor</source>
        <translation>durch keine der beiden Spitzen begrenzt, %1 der Untergrenze</translation>
    </message>
    <message>
        <source>Kernel, by paired runs</source>
        <translation>Kernel, nach gepaarten Läufen</translation>
    </message>
    <message>
        <source>Alone, not compared</source>
        <translation>Allein, nicht verglichen</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>unsure: busy machine</source>
        <translation>unsicher: Maschine belegt</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>neither peak</source>
        <translation>keine der Spitzen</translation>
    </message>
    <message>
        <source>%1 was not measured: there is nothing to compare with a roof.</source>
        <translation>%1 wurde nicht gemessen: nichts lässt sich mit einem Dach vergleichen.</translation>
    </message>
    <message>
        <source>its device</source>
        <translation>seinem Gerät</translation>
    </message>
    <message>
        <source>Peaks of %1: those of %2 in resources/devices, by the units, the clock and the memory rate that the card stated when it measured %3.</source>
        <translation>Spitzen von %1: die von %2 in resources/devices, nach Einheiten, Takt und Speicherrate, die die Karte angab, als sie %3 maß.</translation>
    </message>
    <message>
        <source>Peaks measured on this processor, which is the one that measured %1: vector arithmetic in f32 and one pass over memory, of %2 timed threads.</source>
        <translation>Spitzen, gemessen auf diesem Prozessor, der auch %1 maß: Vektorarithmetik in f32 und ein Durchgang durch den Speicher, von %2 gemessenen Threads.</translation>
    </message>
    <message>
        <source>Peaks measured on this processor, which is the one that measured %1: vector arithmetic in f32 and one pass over memory, of %2 timed thread.</source>
        <translation>Spitzen, gemessen auf diesem Prozessor, der auch %1 maß: Vektorarithmetik in f32 und ein Durchgang durch den Speicher, von %2 gemessenem Thread.</translation>
    </message>
    <message>
        <source>No roofs: the peaks of a processor are measured, and %1 was measured on another one, %2.</source>
        <translation>Keine Dächer: die Spitzen eines Prozessors werden gemessen, und %1 wurde auf einem anderen gemessen, %2.</translation>
    </message>
    <message>
        <source>No roofs: the peaks of %1 are not known; a file for %2 in resources/devices would tell them.</source>
        <translation>Keine Dächer: die Spitzen von %1 sind nicht bekannt; eine Datei für %2 in resources/devices würde sie nennen.</translation>
    </message>
    <message>
        <source>its architecture</source>
        <translation>seine Architektur</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>verglichen mit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>A call</source>
        <translation>Ein Aufruf</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>
Takes up approach A%1</source>
        <translation>
Greift Ansatz A%1 auf</translation>
    </message>
    <message>
        <source>requested</source>
        <translation>angefordert</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>Clock: %1. Intervals: 95 % confidence. What is faster than the judge&apos;s bound is refused; the floor that a kernel can reach is on the page Roofline. Champion +2: two others may be as fast.</source>
        <translation>Uhr: %1. Intervalle: 95 % Konfidenz. Was schneller als die Schranke des Prüfers ist, wird abgelehnt; die Untergrenze, die ein Kernel erreichen kann, steht auf der Seite Roofline. Champion +2: zwei andere sind vielleicht ebenso schnell.</translation>
    </message>
    <message>
        <source>None: this kernel was evaluated by an earlier version, or without the policy counters. Set it (steer FILE.gks policy counters yes) and evaluate the kernel again.</source>
        <translation>Keine: dieser Kernel wurde von einer früheren Version ausgewertet oder ohne die Richtlinie counters. Diese setzen (steer FILE.gks policy counters yes) und den Kernel noch einmal auswerten.</translation>
    </message>
    <message>
        <source>Clock: %1. Intervals: 95 % confidence. Beside another kernel a sample is the median of one run of measure.</source>
        <translation>Uhr: %1. Intervalle: 95 % Konfidenz. Neben einem anderen Kernel ist eine Messung der Median eines Laufs von measure.</translation>
    </message>
    <message>
        <source>verify: passed</source>
        <translation>verify: bestanden</translation>
    </message>
    <message>
        <source>verify: failed: %1</source>
        <translation>verify: nicht bestanden: %1</translation>
    </message>
    <message>
        <source>Inputs, what is right and the clock are the harness&apos;s own; none of it is proved.</source>
        <translation>Eingaben, Richtigkeit und Uhr sind Sache der Testumgebung; nichts davon ist bewiesen.</translation>
    </message>
    <message>
        <source>A command pack has none: only its own harness knows how a kernel is built. What it prints then stands in the kernel&apos;s facts.</source>
        <translation>Ein Befehlspaket hat keinen: Nur seine eigene Testumgebung weiß, wie ein Kernel gebaut wird. Was sie dabei ausgibt, steht bei den Fakten des Kernels.</translation>
    </message>
</context>
<context>
    <name>StageStrip</name>
    <message>
        <source>Selector</source>
        <translation>Selector</translation>
    </message>
    <message>
        <source>Designer</source>
        <translation>Designer</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Writer</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Bauen</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Writer %1</source>
        <translation>Writer %1</translation>
    </message>
    <message>
        <source>Selector</source>
        <translation>Selector</translation>
    </message>
    <message>
        <source>Designer</source>
        <translation>Designer</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Writer</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Repair</translation>
    </message>
    <message>
        <source>Checker</source>
        <translation>Checker</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Digest</translation>
    </message>
</context>
<context>
    <name>Statements</name>
    <message>
        <source>%1 at 99 %</source>
        <translation>%1 bei 99 %</translation>
    </message>
    <message>
        <source>%1, not decided (99 %: %2 to %3)</source>
        <translation>%1, nicht entschieden (99 %: %2 bis %3)</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>, CPU timings</source>
        <translation>, CPU-Zeiten</translation>
    </message>
    <message>
        <source>nothing is faster than baseline %1</source>
        <translation>nichts ist schneller als Baseline %1</translation>
    </message>
    <message>
        <source>%1 confirmed, a tie with baseline %2%3</source>
        <translation>%1 bestätigt, gleich schnell wie Baseline %2%3</translation>
    </message>
    <message>
        <source>%1 confirmed, faster than baseline %2%3</source>
        <translation>%1 bestätigt, schneller als Baseline %2%3</translation>
    </message>
    <message>
        <source>%1 confirmed, slower than baseline %2%3</source>
        <translation>%1 bestätigt, langsamer als Baseline %2%3</translation>
    </message>
    <message>
        <source>%1 not confirmed, by all paired runs over baseline %2%3</source>
        <translation>%1 nicht bestätigt, nach allen gepaarten Läufen gegen Baseline %2%3</translation>
    </message>
    <message>
        <source>not confirmed, not compared with baseline %1</source>
        <translation>nicht bestätigt, nicht mit Baseline %1 verglichen</translation>
    </message>
    <message>
        <source>no kernel has passed its verdict yet</source>
        <translation>noch kein Kernel hat sein Urteil bestanden</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 or %2: not decided</source>
        <translation>%1 oder %2: nicht entschieden</translation>
    </message>
    <message>
        <source>waits for your approval of its code</source>
        <translation>wartet auf Freigabe seines Codes durch Sie</translation>
    </message>
    <message>
        <source>is built before a device takes it</source>
        <translation>wird gebaut, bevor ein Gerät ihn nimmt</translation>
    </message>
    <message>
        <source>waits for a device</source>
        <translation>wartet auf ein Gerät</translation>
    </message>
    <message>
        <source>waits for the verdict on kernel %1</source>
        <translation>wartet auf das Urteil über Kernel %1</translation>
    </message>
    <message>
        <source>waits for the verdict on its parent %1</source>
        <translation>wartet auf das Urteil über seinen Elternkernel %1</translation>
    </message>
    <message>
        <source>over budget: %1</source>
        <translation>Budget verbraucht: %1</translation>
    </message>
    <message>
        <source>%1 is %2, over budget: %3</source>
        <translation>%1 ist %2, Budget verbraucht: %3</translation>
    </message>
    <message>
        <source>was not picked yet; approve it if you want it run</source>
        <translation>noch nicht gewählt; freigeben, wenn es laufen soll</translation>
    </message>
    <message>
        <source>was not picked; approve it if you want it run</source>
        <translation>nicht gewählt; freigeben, wenn es laufen soll</translation>
    </message>
    <message>
        <source>waits for your approval</source>
        <translation>wartet auf Ihre Freigabe</translation>
    </message>
    <message>
        <source>needs code: no model writes in this campaign; write its kernel yourself, or name a model</source>
        <translation>braucht Code: in dieser Kampagne schreibt kein Modell; den Kernel selbst schreiben oder ein Modell nennen</translation>
    </message>
    <message>
        <source>%1 is %2: waits to be repaired</source>
        <translation>%1 ist %2: wartet auf Reparatur</translation>
    </message>
    <message>
        <source>waits to be written</source>
        <translation>wartet auf einen Writer</translation>
    </message>
    <message>
        <source>%1 and %2, all shapes</source>
        <translation>%1 und %2, alle Shapes</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 (side by side with %2, all shapes)</source>
        <translation>%1 (neben %2, alle Shapes)</translation>
    </message>
    <message>
        <source>%1 (side by side with %2)</source>
        <translation>%1 (neben %2)</translation>
    </message>
    <message>
        <source>used by %1 experiments, %2 of them gained</source>
        <translation>verwendet von %1 Experimenten, %2 davon mit Gewinn</translation>
    </message>
    <message>
        <source>used by 1 experiment, which gained</source>
        <translation>verwendet von 1 Experiment, mit Gewinn</translation>
    </message>
    <message>
        <source>used by 1 experiment, which has not gained</source>
        <translation>verwendet von 1 Experiment, ohne Gewinn</translation>
    </message>
    <message>
        <source>judged by the user&apos;s harness</source>
        <translation>beurteilt von der Testumgebung des Benutzers</translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message>
        <source>Model: none (tuner)</source>
        <translation>Modell: keines (Tuner)</translation>
    </message>
    <message>
        <source>not selected</source>
        <translation>nicht ausgewählt</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Modell: %1</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>correct</source>
        <translation>korrekt</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>tie</source>
        <translation>gleich schnell</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>unentschieden</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>build failed</source>
        <translation>Build fehlgeschlagen</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeit überschritten</translation>
    </message>
    <message>
        <source>cheating suspected</source>
        <translation>Betrugsverdacht</translation>
    </message>
    <message>
        <source>infrastructure failed</source>
        <translation>Infrastruktur ausgefallen</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Startkernel</translation>
    </message>
    <message>
        <source>you</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>tuner</source>
        <translation>Tuner</translation>
    </message>
    <message>
        <source>agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>Selector</source>
        <translation>Selector</translation>
    </message>
    <message>
        <source>Designer</source>
        <translation>Designer</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Writer</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Repair</translation>
    </message>
    <message>
        <source>building</source>
        <translation>baut</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>prüft</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>misst</translation>
    </message>
    <message>
        <source>away</source>
        <translation>abwesend</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>vorgeschlagen</translation>
    </message>
    <message>
        <source>not picked</source>
        <translation>nicht gewählt</translation>
    </message>
    <message>
        <source>approved</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>wird ausgewertet</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>vorhergesagt %1</translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation>keine Vorhersage</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>gemessen %1</translation>
    </message>
    <message>
        <source>%1 tuned vs tuned</source>
        <translation>%1 getunt gegen getunt</translation>
    </message>
    <message>
        <source>for your approval</source>
        <translation>zur Freigabe</translation>
    </message>
    <message>
        <source>screening</source>
        <translation>Vorauswahl</translation>
    </message>
    <message>
        <source>declined</source>
        <translation>abgewiesen</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>in Warteschlange</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>cost unknown</source>
        <translation>Kosten unbekannt</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>The campaign is open read-only</source>
        <translation>Die Kampagne ist schreibgeschützt geöffnet</translation>
    </message>
    <message>
        <source>, banned</source>
        <translation>, gesperrt</translation>
    </message>
</context>
<context>
    <name>gks::ActivityPanel</name>
    <message>
        <source>Output of model, compiler and judge</source>
        <translation>Ausgabe von Modell, Compiler und Prüfer</translation>
    </message>
    <message>
        <source>Output of the model, the compiler and the judge appears here.</source>
        <translation>Hier erscheint die Ausgabe von Modell, Compiler und Prüfer.</translation>
    </message>
    <message>
        <source>Filter output by source</source>
        <translation>Ausgabe nach Quelle filtern</translation>
    </message>
    <message>
        <source>All output</source>
        <translation>Alle Ausgaben</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>Prüfer</translation>
    </message>
    <message>
        <source>Runner</source>
        <translation>Runner</translation>
    </message>
    <message>
        <source>Click to open the compiler output.</source>
        <translation>Klicken öffnet die Compilerausgabe.</translation>
    </message>
    <message>
        <source>Click to open the verdict.</source>
        <translation>Klicken öffnet das Urteil.</translation>
    </message>
    <message>
        <source>Click to open the conversation.</source>
        <translation>Klicken öffnet das Gespräch.</translation>
    </message>
    <message>
        <source>Click to open the warnings.</source>
        <translation>Klicken öffnet die Warnungen.</translation>
    </message>
</context>
<context>
    <name>gks::AskedBar</name>
    <message>
        <source>Measure on all benchmark shapes</source>
        <translation>Auf allen Benchmark-Shapes messen</translation>
    </message>
    <message>
        <source>Every benchmark shape, whatever the campaign measures</source>
        <translation>Jede Benchmark-Shape, egal was die Kampagne misst</translation>
    </message>
    <message>
        <source>What waits to be measured side by side</source>
        <translation>Was auf die Messung nebeneinander wartet</translation>
    </message>
    <message>
        <source>What waits to be measured side by side; choose one to take it back</source>
        <translation>Was auf die Messung nebeneinander wartet; zum Zurücknehmen auswählen</translation>
    </message>
    <message>
        <source>&amp;Measure side by side</source>
        <translation>Nebeneinander &amp;messen</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Measure side by side</source>
        <translation>Nebeneinander messen</translation>
    </message>
    <message>
        <source>%1 beside %2, as soon as a lane is free; at once while the campaign stands</source>
        <translation>%1 neben %2, sobald eine Lane frei ist; sofort, wenn die Kampagne steht</translation>
    </message>
    <message>
        <source>waits to be measured side by side</source>
        <translation>wartet auf Messung nebeneinander</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 wartend</translation>
    </message>
    <message>
        <source>Take back %1</source>
        <translation>%1 zurücknehmen</translation>
    </message>
    <message>
        <source>A&amp;ll shapes</source>
        <translation>A&amp;lle Shapes</translation>
    </message>
</context>
<context>
    <name>gks::CalibrationModel</name>
    <message>
        <source>Designer: the model that predicted. Writer: the model that wrote the kernel.</source>
        <translation>Designer: das Modell, das vorhergesagt hat. Writer: das Modell, das den Kernel geschrieben hat.</translation>
    </message>
    <message>
        <source>Model, tuner or you</source>
        <translation>Modell, Tuner oder Sie</translation>
    </message>
    <message>
        <source>Predictions with a measured result</source>
        <translation>Vorhersagen mit gemessenem Ergebnis</translation>
    </message>
    <message>
        <source>Share of results inside the predicted range [95 % interval]</source>
        <translation>Anteil der Ergebnisse im vorhergesagten Bereich [95-%-Intervall]</translation>
    </message>
    <message>
        <source>Measured gain over the middle of the predicted range [95 % interval]. Below 1x: too optimistic.</source>
        <translation>Gemessener Gewinn durch Mitte des vorhergesagten Bereichs [95-%-Intervall]. Unter 1x: zu optimistisch.</translation>
    </message>
    <message>
        <source>Mean width of the predicted ranges (upper end / lower end)</source>
        <translation>Mittlere Breite der vorhergesagten Bereiche (oberes Ende / unteres Ende)</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>Abdeckung</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>Bias</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Applied to predicted ranges before use: by how much they are shifted, and the power that their width is raised to</source>
        <translation>Auf vorhergesagte Bereiche vor der Verwendung angewandt: um wie viel sie verschoben werden und mit welcher Potenz ihrer Breite</translation>
    </message>
</context>
<context>
    <name>gks::CalibrationPanel</name>
    <message>
        <source>&amp;Corrected ranges</source>
        <translation>&amp;Korrigierte Bereiche</translation>
    </message>
    <message>
        <source>Corrected ranges</source>
        <translation>Korrigierte Bereiche</translation>
    </message>
    <message>
        <source>Chart: predicted and measured gain</source>
        <translation>Diagramm: vorhergesagter und gemessener Gewinn</translation>
    </message>
    <message>
        <source>Predictions by stage and model</source>
        <translation>Vorhersagen nach Stufe und Modell</translation>
    </message>
    <message>
        <source>What each writer has brought</source>
        <translation>Was jeder Writer gebracht hat</translation>
    </message>
    <message>
        <source>No measured predictions yet</source>
        <translation>Noch keine gemessenen Vorhersagen</translation>
    </message>
    <message>
        <source>Each experiment predicts a range for its gain. This page compares predictions with measured gains; the models see the result too.</source>
        <translation>Jedes Experiment sagt einen Bereich für seinen Gewinn voraus. Diese Seite vergleicht Vorhersagen mit gemessenen Gewinnen; auch die Modelle sehen das Ergebnis.</translation>
    </message>
    <message>
        <source>Show ranges shifted and widened by how earlier predictions turned out</source>
        <translation>Bereiche zeigen, verschoben und aufgeweitet nach dem Eintreffen früherer Vorhersagen</translation>
    </message>
    <message>
        <source>%1 of %2 results inside the corrected range</source>
        <translation>%1 von %2 Ergebnissen im korrigierten Bereich</translation>
    </message>
    <message>
        <source>%1 of %2 results inside the predicted range</source>
        <translation>%1 von %2 Ergebnissen im vorhergesagten Bereich</translation>
    </message>
</context>
<context>
    <name>gks::CalibrationPlot</name>
    <message>
        <source>Measured gain</source>
        <translation>Gemessener Gewinn</translation>
    </message>
    <message>
        <source>As predicted</source>
        <translation>Wie vorhergesagt</translation>
    </message>
    <message>
        <source>Each measured prediction adds a point</source>
        <translation>Jede gemessene Vorhersage ergibt einen Punkt</translation>
    </message>
    <message>
        <source>Predicted %1, measured %2</source>
        <translation>Vorhergesagt %1, gemessen %2</translation>
    </message>
    <message>
        <source>, tuned vs tuned</source>
        <translation>, getunt gegen getunt</translation>
    </message>
    <message>
        <source>Predicted and measured gain</source>
        <translation>Vorhergesagter und gemessener Gewinn</translation>
    </message>
    <message>
        <source>Predicted gain, time before / time after</source>
        <translation>Vorhergesagter Gewinn, Zeit vorher / Zeit nachher</translation>
    </message>
</context>
<context>
    <name>gks::CampaignCopy</name>
    <message>
        <source>Save a copy</source>
        <translation>Kopie speichern</translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation>Kampagnen (*.gks)</translation>
    </message>
    <message>
        <source>Copy saved</source>
        <translation>Kopie gespeichert</translation>
    </message>
    <message>
        <source>Not copied</source>
        <translation>Nicht kopiert</translation>
    </message>
    <message>
        <source>Saving a copy of %1</source>
        <translation>Kopie von %1 wird gespeichert</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress of the copy</source>
        <translation>Fortschritt der Kopie</translation>
    </message>
</context>
<context>
    <name>gks::CampaignFork</name>
    <message>
        <source>Fork into a new campaign</source>
        <translation>In neue Kampagne abzweigen</translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation>Kampagnen (*.gks)</translation>
    </message>
    <message>
        <source>Not forked</source>
        <translation>Nicht abgezweigt</translation>
    </message>
</context>
<context>
    <name>gks::CampaignOpener</name>
    <message>
        <source>Opening %1...</source>
        <translation>%1 wird geöffnet...</translation>
    </message>
    <message>
        <source>Stopping %1...</source>
        <translation>%1 wird angehalten...</translation>
    </message>
    <message>
        <source>Close it there, then try again</source>
        <translation>Dort schließen und erneut versuchen</translation>
    </message>
</context>
<context>
    <name>gks::CampaignSettingsDialog</name>
    <message>
        <source>Scientist</source>
        <translation>Scientist</translation>
    </message>
    <message>
        <source>Settings pages</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation>Auswertungsbudget</translation>
    </message>
    <message>
        <source>Wall-time budget in minutes</source>
        <translation>Laufzeitbudget in Minuten</translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation>Kostenbudget in US-Dollar</translation>
    </message>
    <message>
        <source>Token budget in thousands</source>
        <translation>Tokenbudget in Tausend</translation>
    </message>
    <message>
        <source>Device-time budget in minutes</source>
        <translation>Gerätezeitbudget in Minuten</translation>
    </message>
    <message>
        <source>Time of the best in microseconds at which the run ends</source>
        <translation>Zeit des besten in Mikrosekunden, bei der der Lauf endet</translation>
    </message>
    <message>
        <source>Experiments in a row without a new best after which the run ends</source>
        <translation>Experimente in Folge ohne neuen besten, nach denen der Lauf endet</translation>
    </message>
    <message>
        <source>Campaign settings</source>
        <translation>Kampagneneinstellungen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>Übern&amp;ehmen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Mo&amp;dels</source>
        <translation>&amp;Modelle</translation>
    </message>
    <message>
        <source>Po&amp;licies</source>
        <translation>&amp;Regeln</translation>
    </message>
    <message>
        <source>&amp;Budgets</source>
        <translation>&amp;Budgets</translation>
    </message>
    <message>
        <source>&amp;Shapes</source>
        <translation>&amp;Shapes</translation>
    </message>
    <message>
        <source>Tuner (searches tunables, needs no model)</source>
        <translation>Tuner (durchsucht Tunables, braucht kein Modell)</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>&amp;Scientist</source>
        <translation>S&amp;cientist</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source> us</source>
        <translation> us</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>%1 used</source>
        <translation>%1 verbraucht</translation>
    </message>
    <message>
        <source>&amp;Evaluations</source>
        <translation>&amp;Auswertungen</translation>
    </message>
    <message>
        <source>&amp;Wall time</source>
        <translation>&amp;Laufzeit</translation>
    </message>
    <message>
        <source>&amp;Cost</source>
        <translation>&amp;Kosten</translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation>&amp;Token</translation>
    </message>
    <message>
        <source>&amp;Device time</source>
        <translation>&amp;Gerätezeit</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>ends when the best is this fast</source>
        <translation>endet, wenn der beste so schnell ist</translation>
    </message>
    <message>
        <source>&amp;No new best</source>
        <translation>Kein &amp;neuer bester</translation>
    </message>
    <message>
        <source>experiments in a row</source>
        <translation>Experimente in Folge</translation>
    </message>
</context>
<context>
    <name>gks::CampaignView</name>
    <message>
        <source>Save a &amp;copy...</source>
        <translation>&amp;Kopie speichern...</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>The campaign as it is now, in one file; it may go on running meanwhile</source>
        <translation>Die Kampagne im jetzigen Stand, in einer Datei; sie kann dabei weiterlaufen</translation>
    </message>
    <message>
        <source>&amp;Export report...</source>
        <translation>Report &amp;exportieren...</translation>
    </message>
    <message>
        <source>&amp;Undo the last decision</source>
        <translation>Letzte Entscheidung &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>E&amp;dit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Takes back your last decision of which nothing has come yet; the History page has all</source>
        <translation>Nimmt Ihre letzte Entscheidung zurück, aus der noch nichts entstanden ist; alle stehen auf der Seite Verlauf</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1 gehen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>&amp;Layout zurücksetzen</translation>
    </message>
    <message>
        <source>Export best &amp;kernel...</source>
        <translation>Besten &amp;Kernel exportieren...</translation>
    </message>
    <message>
        <source>Into your own code; the menu Kernel has it for the selected kernel</source>
        <translation>In eigenen Code; für den ausgewählten Kernel steht es im Menü Kernel</translation>
    </message>
</context>
<context>
    <name>gks::ChartsPanel</name>
    <message>
        <source>Best so far</source>
        <translation>Bisher bester</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Geomean</source>
        <translation>Geometrisches Mittel</translation>
    </message>
    <message>
        <source>Timings by shape</source>
        <translation>Zeiten nach Shape</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Samples of the running evaluation</source>
        <translation>Messwerte der laufenden Auswertung</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Messwert</translation>
    </message>
    <message>
        <source>Time per call</source>
        <translation>Zeit je Aufruf</translation>
    </message>
    <message>
        <source>No timings yet</source>
        <translation>Noch keine Zeiten</translation>
    </message>
    <message>
        <source>Press Run. Each evaluation adds a point.</source>
        <translation>„Start“ drücken. Jede Auswertung ergibt einen Punkt.</translation>
    </message>
    <message>
        <source>Each measured kernel adds a point</source>
        <translation>Jeder gemessene Kernel ergibt einen Punkt</translation>
    </message>
    <message>
        <source>Select a measured kernel</source>
        <translation>Einen gemessenen Kernel auswählen</translation>
    </message>
    <message>
        <source>Samples appear while a kernel is measured</source>
        <translation>Messwerte erscheinen, während ein Kernel gemessen wird</translation>
    </message>
    <message>
        <source>Chart: best time so far</source>
        <translation>Diagramm: bisher beste Zeit</translation>
    </message>
    <message>
        <source>Chart: timings by shape</source>
        <translation>Diagramm: Zeiten nach Shape</translation>
    </message>
    <message>
        <source>Chart: samples of the running evaluation</source>
        <translation>Diagramm: Messwerte der laufenden Auswertung</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Samples of %1</source>
        <translation>Messwerte von %1</translation>
    </message>
    <message>
        <source>Samples of %1, %2</source>
        <translation>Messwerte von %1, %2</translation>
    </message>
    <message>
        <source>, kernel beside it</source>
        <translation>, Kernel daneben</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>Verglichen mit</translation>
    </message>
    <message>
        <source>CPU timings</source>
        <translation>CPU-Zeiten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>gks::CodeReview</name>
    <message>
        <source>Drafts for your approval</source>
        <translation>Entwürfe zur Freigabe</translation>
    </message>
    <message>
        <source>Click a draft to compare it with its parent</source>
        <translation>Entwurf anklicken, um ihn mit dem Elternkernel zu vergleichen</translation>
    </message>
    <message>
        <source>1 draft waits for your approval</source>
        <translation>1 Entwurf wartet auf Ihre Freigabe</translation>
    </message>
    <message>
        <source>%1 drafts wait for your approval</source>
        <translation>%1 Entwürfe warten auf Ihre Freigabe</translation>
    </message>
</context>
<context>
    <name>gks::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>Befehl eingeben</translation>
    </message>
</context>
<context>
    <name>gks::ComparePanel</name>
    <message>
        <source>What the compiler made of the two</source>
        <translation>Was der Compiler aus den beiden gemacht hat</translation>
    </message>
    <message>
        <source>Ignore &amp;whitespace</source>
        <translation>&amp;Leerraum ignorieren</translation>
    </message>
    <message>
        <source>Ignore whitespace</source>
        <translation>Leerraum ignorieren</translation>
    </message>
    <message>
        <source>How the kernels are compared</source>
        <translation>Wie die Kernel verglichen werden</translation>
    </message>
    <message>
        <source>Difference as unified text</source>
        <translation>Unterschied als Unified-Text</translation>
    </message>
    <message>
        <source>No kernels to compare</source>
        <translation>Keine Kernel zum Vergleichen</translation>
    </message>
    <message>
        <source>Select a kernel and press Space to compare it with its parent, or Ctrl+click a second kernel. Press A to add it to a table of any kernels.</source>
        <translation>Kernel auswählen und Leertaste drücken, um ihn mit dem Elternkernel zu vergleichen, oder zweiten Kernel mit Strg+Klick wählen. A fügt ihn einer Tabelle beliebiger Kernel hinzu.</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>Approve the &amp;draft that is shown</source>
        <translation>Gezeigten Entwurf &amp;freigeben</translation>
    </message>
    <message>
        <source>Send the draft that is shown &amp;back</source>
        <translation>Gezeigten Entwurf &amp;zurückgeben</translation>
    </message>
    <message>
        <source>Re&amp;ject the draft that is shown</source>
        <translation>Gezeigten Entwurf &amp;ablehnen</translation>
    </message>
    <message>
        <source>Edit the draft that is s&amp;hown</source>
        <translation>Gezeigten Entwurf &amp;bearbeiten</translation>
    </message>
    <message>
        <source>the draft</source>
        <translation>der Entwurf</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Unified</source>
        <translation>Unified</translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation>Maschinencode</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>&amp;Next change</source>
        <translation>&amp;Nächste Änderung</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Pre&amp;vious change</source>
        <translation>&amp;Vorige Änderung</translation>
    </message>
    <message>
        <source>Compare: as &amp;source</source>
        <translation>Vergleichen: als &amp;Quelltext</translation>
    </message>
    <message>
        <source>Compare: as &amp;unified text</source>
        <translation>Vergleichen: als &amp;Unified-Text</translation>
    </message>
    <message>
        <source>Compare: as &amp;machine code</source>
        <translation>Vergleichen: als &amp;Maschinencode</translation>
    </message>
    <message>
        <source>Compare: as &amp;table</source>
        <translation>Vergleichen: als &amp;Tabelle</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>No static report yet</source>
        <translation>Noch kein statischer Report</translation>
    </message>
    <message>
        <source>From %1; not measured</source>
        <translation>Aus %1; nicht gemessen</translation>
    </message>
    <message>
        <source>No changes</source>
        <translation>Keine Änderungen</translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation>Änderung %1 von %2</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 Änderung</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 Änderungen</translation>
    </message>
    <message>
        <source>Lines added, removed, changed</source>
        <translation>Zeilen hinzugefügt, entfernt, geändert</translation>
    </message>
    <message>
        <source>Reading the verdicts</source>
        <translation>Die Urteile werden gelesen</translation>
    </message>
    <message>
        <source>No static report: %1 is %2</source>
        <translation>Kein statischer Bericht: %1 ist %2</translation>
    </message>
    <message>
        <source>The sources cannot be read</source>
        <translation>Die Quelltexte sind nicht lesbar</translation>
    </message>
    <message>
        <source>Why the sources cannot be read</source>
        <translation>Warum die Quelltexte nicht lesbar sind</translation>
    </message>
    <message>
        <source>The sources are not at hand</source>
        <translation>Die Quelltexte liegen nicht vor</translation>
    </message>
    <message>
        <source>No static report: a command pack has none</source>
        <translation>Kein statischer Bericht: Ein Befehlspaket hat keinen</translation>
    </message>
</context>
<context>
    <name>gks::ComparisonModel</name>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>paired runs of the two: %1</source>
        <translation>gepaarte Läufe der beiden: %1</translation>
    </message>
    <message>
        <source>no run measured the two beside each other: by a chain of paired runs</source>
        <translation>kein Lauf hat die beiden nebeneinander gemessen: über eine Kette gepaarter Läufe</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>, on %1</source>
        <translation>, auf %1</translation>
    </message>
    <message>
        <source>Click: select. Ctrl+click: select as the second</source>
        <translation>Klick: auswählen. Strg+Klick: als zweiten auswählen</translation>
    </message>
</context>
<context>
    <name>gks::ComparisonView</name>
    <message>
        <source>What the rows are</source>
        <translation>Was die Zeilen sind</translation>
    </message>
    <message>
        <source>Comparison of kernels</source>
        <translation>Vergleich der Kernel</translation>
    </message>
    <message>
        <source>What to know of the table</source>
        <translation>Was zur Tabelle zu wissen ist</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Compare &amp;others with it</source>
        <translation>Andere &amp;damit vergleichen</translation>
    </message>
    <message>
        <source>The kernel of the current column comes first, and the ratios are to it</source>
        <translation>Der Kernel der aktuellen Spalte kommt zuerst, die Verhältnisse beziehen sich auf ihn</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Take the kernel of the current column out of the comparison</source>
        <translation>Den Kernel der aktuellen Spalte aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Take all kernels out of the comparison</source>
        <translation>Alle Kernel aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>Copy CS&amp;V</source>
        <translation>CS&amp;V kopieren</translation>
    </message>
    <message>
        <source>Copy the table, a line for each cell, with ids and units</source>
        <translation>Tabelle kopieren, eine Zeile je Zelle, mit IDs und Einheiten</translation>
    </message>
</context>
<context>
    <name>gks::CompileView</name>
    <message>
        <source>What the compiler says</source>
        <translation>Was der Compiler sagt</translation>
    </message>
    <message>
        <source>Registers, LDS and waves of each function</source>
        <translation>Register, LDS und Waves jeder Funktion</translation>
    </message>
    <message>
        <source>Diagnostics of the compiler</source>
        <translation>Diagnosen des Compilers</translation>
    </message>
    <message>
        <source>Enter goes to the place; F8 and Shift+F8 go on from one to the next</source>
        <translation>Eingabe springt zur Stelle; F8 und Umschalt+F8 gehen von einer zur nächsten</translation>
    </message>
    <message>
        <source>The build: %1</source>
        <translation>Der Build: %1</translation>
    </message>
    <message>
        <source>The checked run: %1</source>
        <translation>Der geprüfte Lauf: %1</translation>
    </message>
    <message>
        <source>%1. The source has #line: its own places, which may lie elsewhere</source>
        <translation>%1. Der Quelltext hat #line: seine eigenen Stellen, die woanders liegen können</translation>
    </message>
    <message>
        <source>Compile while typing is off (see Settings)</source>
        <translation>Kompilieren beim Tippen ist aus (siehe Einstellungen)</translation>
    </message>
    <message>
        <source>Waiting for a pause</source>
        <translation>Wartet auf eine Pause</translation>
    </message>
    <message>
        <source>Compiling...</source>
        <translation>Kompiliert...</translation>
    </message>
    <message>
        <source>Not compiled: %1</source>
        <translation>Nicht kompiliert: %1</translation>
    </message>
    <message>
        <source>Compiled in %1 ms</source>
        <translation>Kompiliert in %1 ms</translation>
    </message>
    <message>
        <source>of the last text that compiled</source>
        <translation>des letzten kompilierbaren Texts</translation>
    </message>
    <message>
        <source>%1, as in the static report; not measured</source>
        <translation>%1, wie im statischen Report; nicht gemessen</translation>
    </message>
    <message>
        <source>%1, as in the static report; in brackets the difference from %2; not measured</source>
        <translation>%1, wie im statischen Report; in Klammern die Differenz zu %2; nicht gemessen</translation>
    </message>
    <message>
        <source>Next diag&amp;nostic of %1</source>
        <translation>Nächste &amp;Meldung von %1</translation>
    </message>
    <message>
        <source>Previous diagnostic of %1</source>
        <translation>Vorherige Meldung von %1</translation>
    </message>
</context>
<context>
    <name>gks::ConversationPanel</name>
    <message>
        <source>Conversation scope</source>
        <translation>Umfang des Gesprächs</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>&amp;Errors only</source>
        <translation>Nur &amp;Fehler</translation>
    </message>
    <message>
        <source>Failed calls only</source>
        <translation>Nur fehlgeschlagene Aufrufe</translation>
    </message>
    <message>
        <source>Prompts and replies</source>
        <translation>Prompts und Antworten</translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation>Rohtext</translation>
    </message>
    <message>
        <source>Prompt and reply</source>
        <translation>Prompt und Antwort</translation>
    </message>
    <message>
        <source>Model call that is on its way</source>
        <translation>Laufender Modellaufruf</translation>
    </message>
    <message>
        <source>%1, %2 (experiment %3)</source>
        <translation>%1, %2 (Experiment %3)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Whole campaign</source>
        <translation>Ganze Kampagne</translation>
    </message>
    <message>
        <source>All stages</source>
        <translation>Alle Stufen</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Show only calls that failed or whose reply was rejected</source>
        <translation>Nur fehlgeschlagene Aufrufe oder solche mit abgelehnter Antwort anzeigen</translation>
    </message>
    <message>
        <source>&amp;Raw</source>
        <translation>&amp;Rohtext</translation>
    </message>
    <message>
        <source>Show prompt and reply exactly as sent</source>
        <translation>Prompt und Antwort genau wie gesendet anzeigen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Find in conversation</source>
        <translation>Im &amp;Gespräch suchen</translation>
    </message>
    <message>
        <source>Find next in conversation</source>
        <translation>Im Gespräch weitersuchen</translation>
    </message>
    <message>
        <source>Find previous in conversation</source>
        <translation>Im Gespräch rückwärts suchen</translation>
    </message>
    <message>
        <source>Show raw co&amp;nversation</source>
        <translation>Gespräch als &amp;Rohtext anzeigen</translation>
    </message>
    <message>
        <source>No model calls in this campaign</source>
        <translation>Keine Modellaufrufe in dieser Kampagne</translation>
    </message>
    <message>
        <source>No model calls for this selection</source>
        <translation>Keine Modellaufrufe für diese Auswahl</translation>
    </message>
    <message>
        <source>The tuner makes no model calls. To use a language model, open the campaign settings.</source>
        <translation>Der Tuner macht keine Modellaufrufe. Für ein Sprachmodell die Einstellungen der Kampagne öffnen.</translation>
    </message>
    <message>
        <source>Press Run. Every model call is kept here with its prompt and reply.</source>
        <translation>„Start“ drücken. Jeder Modellaufruf bleibt hier mit Prompt und Antwort erhalten.</translation>
    </message>
    <message>
        <source>Select a kernel written by a model, or choose “Whole campaign” on the left.</source>
        <translation>Einen von einem Modell geschriebenen Kernel auswählen oder links „Ganze Kampagne“ wählen.</translation>
    </message>
</context>
<context>
    <name>gks::DiffOverview</name>
    <message>
        <source>Change overview</source>
        <translation>Übersicht der Änderungen</translation>
    </message>
</context>
<context>
    <name>gks::DiffView</name>
    <message>
        <source>Source of the left kernel</source>
        <translation>Quelltext des linken Kernels</translation>
    </message>
    <message>
        <source>Source of the right kernel (selected)</source>
        <translation>Quelltext des rechten Kernels (ausgewählt)</translation>
    </message>
</context>
<context>
    <name>gks::DockTitle</name>
    <message>
        <source>Float or dock %1</source>
        <translation>%1 abdocken oder andocken</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>gks::DocumentPage</name>
    <message>
        <source>Document title</source>
        <translation>Titel des Dokuments</translation>
    </message>
    <message>
        <source>Use in &amp;prompts</source>
        <translation>In &amp;Prompts nutzen</translation>
    </message>
    <message>
        <source>Use this document in prompts</source>
        <translation>Dieses Dokument in Prompts nutzen</translation>
    </message>
    <message>
        <source>Digest of the document</source>
        <translation>Digest des Dokuments</translation>
    </message>
    <message>
        <source>Create &amp;digest</source>
        <translation>Digest er&amp;zeugen</translation>
    </message>
    <message>
        <source>Create the digest with a model</source>
        <translation>Digest mit einem Modell erzeugen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save title and digest</source>
        <translation>Titel und Digest speichern</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Remove document</source>
        <translation>Dokument entfernen</translation>
    </message>
    <message>
        <source>Document passages</source>
        <translation>Passagen des Dokuments</translation>
    </message>
    <message>
        <source>Digest: what matters for this problem. It goes into prompts ahead of single passages.</source>
        <translation>Digest: was für dieses Problem wichtig ist. Er kommt in Prompts vor einzelnen Passagen.</translation>
    </message>
    <message>
        <source>Allow this document&apos;s digest and passages in prompts</source>
        <translation>Digest und Passagen dieses Dokuments in Prompts zulassen</translation>
    </message>
    <message>
        <source>One call to the Digest model</source>
        <translation>Ein Aufruf des Digest-Modells</translation>
    </message>
    <message>
        <source>%1, %2 of text in %3, added %4</source>
        <translation>%1, %2 Text in %3, hinzugefügt %4</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 Passage</translation>
    </message>
    <message>
        <source>%1 passages</source>
        <translation>%1 Passagen</translation>
    </message>
    <message>
        <source>&amp;Cancel digest</source>
        <translation>Digest abbre&amp;chen</translation>
    </message>
    <message>
        <source>Passage %1</source>
        <translation>Passage %1</translation>
    </message>
    <message>
        <source>%1 more passages. Search to see them.</source>
        <translation>%1 weitere Passagen. Zum Anzeigen suchen.</translation>
    </message>
    <message>
        <source>Edit of document %1</source>
        <translation>Änderung an Dokument %1</translation>
    </message>
</context>
<context>
    <name>gks::DraftDecision</name>
    <message>
        <source>A&amp;pprove</source>
        <translation>&amp;Freigeben</translation>
    </message>
    <message>
        <source>Send &amp;back</source>
        <translation>&amp;Zurückgeben</translation>
    </message>
    <message>
        <source>Reje&amp;ct</source>
        <translation>Ableh&amp;nen</translation>
    </message>
    <message>
        <source>Ed&amp;it</source>
        <translation>Bea&amp;rbeiten</translation>
    </message>
    <message>
        <source>Remark on the draft</source>
        <translation>Anmerkung zum Entwurf</translation>
    </message>
    <message>
        <source>Approve the code</source>
        <translation>Code freigeben</translation>
    </message>
    <message>
        <source>It is evaluated</source>
        <translation>Er wird ausgewertet</translation>
    </message>
    <message>
        <source>Send the code back</source>
        <translation>Code zurückgeben</translation>
    </message>
    <message>
        <source>The Writer gets the code and your remark, and writes another draft</source>
        <translation>Der Writer erhält den Code und Ihre Anmerkung und schreibt einen neuen Entwurf</translation>
    </message>
    <message>
        <source>Reject the code</source>
        <translation>Code ablehnen</translation>
    </message>
    <message>
        <source>Neither the draft nor its experiment is tried</source>
        <translation>Weder der Entwurf noch sein Experiment wird versucht</translation>
    </message>
    <message>
        <source>Edit the code</source>
        <translation>Code bearbeiten</translation>
    </message>
    <message>
        <source>Your source takes the place of the draft</source>
        <translation>Ihr Quelltext ersetzt den Entwurf</translation>
    </message>
    <message>
        <source>Remark for the Writer</source>
        <translation>Anmerkung für den Writer</translation>
    </message>
</context>
<context>
    <name>gks::EmptyState</name>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
</context>
<context>
    <name>gks::EvidenceExport</name>
    <message>
        <source>Export to a new folder</source>
        <translation>In einen neuen Ordner exportieren</translation>
    </message>
    <message>
        <source>Report: %1/report.html
Root hash: %2</source>
        <translation>Report: %1/report.html
Root-Hash: %2</translation>
    </message>
    <message>
        <source>Evidence exported</source>
        <translation>Nachweis exportiert</translation>
    </message>
    <message>
        <source>Export failed</source>
        <translation>Export fehlgeschlagen</translation>
    </message>
    <message>
        <source>Report: %1/report.html
No evidence bundle: judged by the user&apos;s harness</source>
        <translation>Bericht: %1/report.html
Kein Nachweispaket: beurteilt von der Testumgebung des Benutzers</translation>
    </message>
</context>
<context>
    <name>gks::ExchangeModel</name>
    <message>
        <source>, failed</source>
        <translation>, fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>gks::ExperimentEditor</name>
    <message>
        <source>Which experiment</source>
        <translation>Welches Experiment</translation>
    </message>
    <message>
        <source>Why it waits</source>
        <translation>Warum es wartet</translation>
    </message>
    <message>
        <source>Who writes the code</source>
        <translation>Wer den Code schreibt</translation>
    </message>
    <message>
        <source>&amp;Write the code</source>
        <translation>&amp;Code schreiben</translation>
    </message>
    <message>
        <source>Write the code</source>
        <translation>Code schreiben</translation>
    </message>
    <message>
        <source>&amp;Approve</source>
        <translation>&amp;Freigeben</translation>
    </message>
    <message>
        <source>Approve experiment</source>
        <translation>Experiment freigeben</translation>
    </message>
    <message>
        <source>Re&amp;ject</source>
        <translation>Ableh&amp;nen</translation>
    </message>
    <message>
        <source>Reject experiment</source>
        <translation>Experiment ablehnen</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Enter</translation>
    </message>
    <message>
        <source>No model writes code in this campaign: write it yourself, or name a model. It waits till then.</source>
        <translation>In dieser Kampagne schreibt kein Modell Code: selbst schreiben oder ein Modell angeben. Bis dahin wartet es.</translation>
    </message>
    <message>
        <source>Opens the parent&apos;s source in the editor; the kernel that you evaluate carries out this experiment</source>
        <translation>Öffnet den Quelltext des Elternkernels im Editor; der Kernel, den Sie auswerten, führt dieses Experiment aus</translation>
    </message>
    <message>
        <source>Experiment %1 can no longer be edited. Your text, as an experiment on %2</source>
        <translation>Experiment %1 ist nicht mehr änderbar. Ihr Text, als Experiment an %2</translation>
    </message>
    <message>
        <source>No experiment selected</source>
        <translation>Kein Experiment ausgewählt</translation>
    </message>
    <message>
        <source>New experiment on %1</source>
        <translation>Neues Experiment an %1</translation>
    </message>
    <message>
        <source>&amp;Add and approve</source>
        <translation>Hin&amp;zufügen und freigeben</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>Ver&amp;werfen</translation>
    </message>
    <message>
        <source>Edit of experiment %1</source>
        <translation>Änderung an Experiment %1</translation>
    </message>
    <message>
        <source>Not added: %1</source>
        <translation>Nicht hinzugefügt: %1</translation>
    </message>
    <message>
        <source>Add or discard this experiment first</source>
        <translation>Dieses Experiment zuerst hinzufügen oder verwerfen</translation>
    </message>
</context>
<context>
    <name>gks::ExperimentFields</name>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Rubric</source>
        <translation>Rubric</translation>
    </message>
    <message>
        <source>Predicted gain, lower bound</source>
        <translation>Vorhergesagter Gewinn, untere Grenze</translation>
    </message>
    <message>
        <source>Predicted gain, upper bound</source>
        <translation>Vorhergesagter Gewinn, obere Grenze</translation>
    </message>
    <message>
        <source>Predicted gain</source>
        <translation>Vorhergesagter Gewinn</translation>
    </message>
    <message>
        <source>Innovation, 0 to 100</source>
        <translation>Innovation, 0 bis 100</translation>
    </message>
    <message>
        <source>Kind of experiment</source>
        <translation>Art des Experiments</translation>
    </message>
    <message>
        <source>Who writes the kernel</source>
        <translation>Wer den Kernel schreibt</translation>
    </message>
    <message>
        <source>Idea</source>
        <translation>Idee</translation>
    </message>
    <message>
        <source>Rubric: steps the Writer must follow</source>
        <translation>Rubric: Schritte, an die sich der Writer halten muss</translation>
    </message>
    <message>
        <source> of 100</source>
        <translation> von 100</translation>
    </message>
    <message>
        <source>How different the idea is from what was tried before</source>
        <translation>Wie sehr die Idee von allem bisher Versuchten abweicht</translation>
    </message>
    <message>
        <source>To merge two kernels or to pick between them by shape, compare them first. A probe measures one thing of the machine</source>
        <translation>Zum Vereinen zweier Kernel oder zum Wählen zwischen ihnen nach Shape: erst vergleichen. Eine Sonde misst eine Eigenschaft der Maschine</translation>
    </message>
    <message>
        <source>One of the campaign&apos;s writers, or whoever has brought most for the cost when it is time</source>
        <translation>Einer der Writer der Kampagne, oder wer zur Zeit der Ausführung für die Kosten am meisten gebracht hat</translation>
    </message>
    <message>
        <source>Predicted &amp;gain</source>
        <translation>Vorhergesagter &amp;Gewinn</translation>
    </message>
    <message>
        <source>Inno&amp;vation</source>
        <translation>Inno&amp;vation</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>whoever&apos;s turn it is</source>
        <translation>wer an der Reihe ist</translation>
    </message>
    <message>
        <source>the stage&apos;s own model</source>
        <translation>das Modell der Stufe</translation>
    </message>
    <message>
        <source>%1, who is gone</source>
        <translation>%1 (nicht mehr da)</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Art</translation>
    </message>
    <message>
        <source>&amp;Writer</source>
        <translation>&amp;Writer</translation>
    </message>
</context>
<context>
    <name>gks::ExperimentsPanel</name>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>No experiments yet</source>
        <translation>Noch keine Experimente</translation>
    </message>
    <message>
        <source>Press Run or Step to get experiments, or add your own.</source>
        <translation>„Start“ oder „Schritt“ drücken, um Experimente zu erhalten, oder eigene hinzufügen.</translation>
    </message>
    <message>
        <source>&amp;Add experiment</source>
        <translation>Experiment &amp;hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>Add an experiment on the selected kernel</source>
        <translation>Ein Experiment am ausgewählten Kernel hinzufügen</translation>
    </message>
    <message>
        <source>Move experiment &amp;up</source>
        <translation>Experiment nach &amp;oben</translation>
    </message>
    <message>
        <source>Move experiment &amp;down</source>
        <translation>Experiment nach &amp;unten</translation>
    </message>
    <message>
        <source>Filter experiments by state</source>
        <translation>Experimente nach Zustand filtern</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Not picked</source>
        <translation>Nicht gewählt</translation>
    </message>
    <message>
        <source>%1 of %2 open</source>
        <translation>%1 von %2 offen</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Experiment or its round</source>
        <translation>Experiment oder seine Runde</translation>
    </message>
</context>
<context>
    <name>gks::ExportDialog</name>
    <message>
        <source>C header and source</source>
        <translation>C-Header und Quelltext</translation>
    </message>
    <message>
        <source>Shared library with its test</source>
        <translation>Bibliothek mit ihrem Test</translation>
    </message>
    <message>
        <source>PyTorch extension</source>
        <translation>PyTorch-Erweiterung</translation>
    </message>
    <message>
        <source>Project for Hugging Face&apos;s kernel-builder</source>
        <translation>Projekt für kernel-builder von Hugging Face</translation>
    </message>
    <message>
        <source>Solution for FlashInfer-Bench</source>
        <translation>Solution für FlashInfer-Bench</translation>
    </message>
    <message>
        <source>Git patch</source>
        <translation>Git-Patch</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Git tree that the patch is for</source>
        <translation>Git-Baum, für den der Patch ist</translation>
    </message>
    <message>
        <source>Folder in the tree</source>
        <translation>Ordner im Baum</translation>
    </message>
    <message>
        <source>Definition that the problem is</source>
        <translation>Definition, die das Problem ist</translation>
    </message>
    <message>
        <source>&amp;Shapes between measured ones go to the kernel too; no claim covers them</source>
        <translation>Auch &amp;Shapes zwischen gemessenen gehen an den Kernel; keine Aussage deckt sie</translation>
    </message>
    <message>
        <source>Shapes between measured ones</source>
        <translation>Shapes zwischen gemessenen</translation>
    </message>
    <message>
        <source>Com&amp;pile it and run its test, in the sandbox</source>
        <translation>In der Sandbox ü&amp;bersetzen und den Test ausführen</translation>
    </message>
    <message>
        <source>Compile and test</source>
        <translation>Übersetzen und testen</translation>
    </message>
    <message>
        <source>Reading the kernel and its evidence...</source>
        <translation>Kernel und Nachweis werden gelesen...</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>Aussage</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>What nobody has tried</source>
        <translation>Was niemand probiert hat</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>Export kernel %1</source>
        <translation>Kernel %1 exportieren</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&amp;Form</source>
        <translation>&amp;Form</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Export to a new folder</source>
        <translation>In einen neuen Ordner exportieren</translation>
    </message>
    <message>
        <source>Git &amp;tree</source>
        <translation>Git-Ba&amp;um</translation>
    </message>
    <message>
        <source>Folder in &amp;it</source>
        <translation>Ordner &amp;darin</translation>
    </message>
    <message>
        <source>the one that the problem was made from</source>
        <translation>die, aus der das Problem gemacht wurde</translation>
    </message>
    <message>
        <source>Definition of FlashInfer-Bench</source>
        <translation>Definition von FlashInfer-Bench</translation>
    </message>
    <message>
        <source>&amp;Definition</source>
        <translation>Defi&amp;nition</translation>
    </message>
    <message>
        <source>Browse...</source>
        <translation>Durchsuchen...</translation>
    </message>
    <message>
        <source>Definitions (*.json)</source>
        <translation>Definitionen (*.json)</translation>
    </message>
    <message>
        <source>This kernel cannot be exported.</source>
        <translation>Dieser Kernel kann nicht exportiert werden.</translation>
    </message>
    <message>
        <source>Choose the tree that the patch is for, and the folder in it. The tree is not changed.</source>
        <translation>Den Baum wählen, für den der Patch ist, und den Ordner darin. Der Baum wird nicht verändert.</translation>
    </message>
    <message>
        <source>Choose a new or empty folder.</source>
        <translation>Einen neuen oder leeren Ordner wählen.</translation>
    </message>
    <message>
        <source>Open: %1</source>
        <translation>Offen: %1</translation>
    </message>
    <message>
        <source>Claim: %1
Goes to the kernel: %2 of %3 measured shapes; everything else to the baseline %4 %5.
Evidence: %6</source>
        <translation>Aussage: %1
An den Kernel gehen %2 von %3 gemessenen Shapes, alles andere an die Baseline %4 %5.
Nachweis: %6</translation>
    </message>
    <message>
        <source>Written: %1 files in %2</source>
        <translation>Geschrieben: %1 Dateien in %2</translation>
    </message>
    <message>
        <source>Checked: compiled and run by %1</source>
        <translation>Geprüft: übersetzt und ausgeführt mit %1</translation>
    </message>
    <message>
        <source>Checked: compiled by %1, not run</source>
        <translation>Geprüft: übersetzt mit %1, nicht ausgeführt</translation>
    </message>
    <message>
        <source>Writing, compiling and testing...</source>
        <translation>Wird geschrieben, übersetzt und getestet...</translation>
    </message>
    <message>
        <source>Writing...</source>
        <translation>Wird geschrieben...</translation>
    </message>
    <message>
        <source>Card that the Solution is for</source>
        <translation>Karte, für die die Solution bestimmt ist</translation>
    </message>
    <message>
        <source>the one that measured the kernel; such as NVIDIA_H100</source>
        <translation>die, die den Kernel gemessen hat; etwa NVIDIA_H100</translation>
    </message>
    <message>
        <source>C&amp;ard</source>
        <translation>K&amp;arte</translation>
    </message>
    <message>
        <source>Claim: %1
Command pack: %2, SHA-256 of its files %3</source>
        <translation>Aussage: %1
Command-Pack: %2, SHA-256 seiner Dateien %3</translation>
    </message>
</context>
<context>
    <name>gks::FileDrops</name>
    <message>
        <source>this is no campaign, kernel or problem pack</source>
        <translation>dies ist weder Kampagne noch Kernel noch Problempaket</translation>
    </message>
    <message>
        <source>neither problem.toml nor harness.toml lies in this folder</source>
        <translation>in diesem Ordner liegt weder problem.toml noch harness.toml</translation>
    </message>
</context>
<context>
    <name>gks::FindBar</name>
    <message>
        <source>Find in text</source>
        <translation>Im Text suchen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Vorheriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>, also in 1 other call</source>
        <translation>, auch in 1 weiterem Aufruf</translation>
    </message>
    <message>
        <source>, also in %1 other calls</source>
        <translation>, auch in %1 weiteren Aufrufen</translation>
    </message>
</context>
<context>
    <name>gks::FindingEditor</name>
    <message>
        <source>Subject</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>Finding text</source>
        <translation>Text der Erkenntnis</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save finding</source>
        <translation>Erkenntnis speichern</translation>
    </message>
    <message>
        <source>&amp;Dismiss</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Dismiss or restore finding</source>
        <translation>Erkenntnis verwerfen oder wiederherstellen</translation>
    </message>
    <message>
        <source>What was tried, in a few words</source>
        <translation>Was versucht wurde, in wenigen Worten</translation>
    </message>
    <message>
        <source>Result and reason, as the models will read it</source>
        <translation>Ergebnis und Grund, wie die Modelle es lesen werden</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Enter</translation>
    </message>
    <message>
        <source>New finding</source>
        <translation>Neue Erkenntnis</translation>
    </message>
    <message>
        <source>Edit of finding %1</source>
        <translation>Änderung an Erkenntnis %1</translation>
    </message>
    <message>
        <source>Finding %1</source>
        <translation>Erkenntnis %1</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>Ver&amp;werfen</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>W&amp;iederherstellen</translation>
    </message>
    <message>
        <source>Based on %1</source>
        <translation>Beruht auf %1</translation>
    </message>
    <message>
        <source>Contradicted by %1</source>
        <translation>Widerlegt durch %1</translation>
    </message>
    <message>
        <source>By %1, %2%3</source>
        <translation>Von %1, %2%3</translation>
    </message>
    <message>
        <source>; ✎ edited by you, kept as written</source>
        <translation>; ✎ von Ihnen bearbeitet, bleibt wie geschrieben</translation>
    </message>
    <message>
        <source>Why no other finding is begun</source>
        <translation>Warum keine andere Erkenntnis begonnen wird</translation>
    </message>
    <message>
        <source>Save or discard this finding first</source>
        <translation>Diese Erkenntnis zuerst speichern oder verwerfen</translation>
    </message>
</context>
<context>
    <name>gks::FindingsPanel</name>
    <message>
        <source>Filter findings</source>
        <translation>Erkenntnisse filtern</translation>
    </message>
    <message>
        <source>Filter findings by state</source>
        <translation>Erkenntnisse nach Zustand filtern</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Erkenntnisse</translation>
    </message>
    <message>
        <source>No findings yet</source>
        <translation>Noch keine Erkenntnisse</translation>
    </message>
    <message>
        <source>Verdicts add findings here, with the evaluations they rest on. Findings you add yourself go into the prompts too.</source>
        <translation>Urteile fügen hier Erkenntnisse hinzu, mit den Auswertungen, auf denen sie beruhen. Auch Ihre eigenen Erkenntnisse kommen in die Prompts.</translation>
    </message>
    <message>
        <source>Add finding</source>
        <translation>Erkenntnis hinzufügen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>Add &amp;finding...</source>
        <translation>Er&amp;kenntnis hinzufügen...</translation>
    </message>
    <message>
        <source>&amp;Dismiss or restore finding</source>
        <translation>Erkenntnis &amp;verwerfen oder wiederherstellen</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 Erkenntnis</translation>
    </message>
    <message>
        <source>%1 findings</source>
        <translation>%1 Erkenntnisse</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Figures of probes</source>
        <translation>Zahlen der Sonden</translation>
    </message>
</context>
<context>
    <name>gks::GainBox</name>
    <message>
        <source>Time before / time after</source>
        <translation>Zeit vorher / Zeit nachher</translation>
    </message>
</context>
<context>
    <name>gks::HelpWindow</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Manual page</source>
        <translation>Handbuchseite</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Manual not found in %1. Reinstall the program, or set GKS_RESOURCES to its resources folder.</source>
        <translation>Handbuch in %1 nicht gefunden. Programm neu installieren oder GKS_RESOURCES auf seinen Ordner resources setzen.</translation>
    </message>
</context>
<context>
    <name>gks::HintForm</name>
    <message>
        <source>Which prompts show the hint</source>
        <translation>In welchen Prompts der Hinweis steht</translation>
    </message>
    <message>
        <source>Hint added to every prompt</source>
        <translation>Hinweis in jedem Prompt</translation>
    </message>
    <message>
        <source>&amp;Hint added to every prompt of</source>
        <translation>H&amp;inweis in jedem Prompt von</translation>
    </message>
    <message>
        <source>Where to look, what to leave alone</source>
        <translation>Wo suchen, was in Ruhe lassen</translation>
    </message>
    <message>
        <source>What the %1 is told besides the hint for every stage</source>
        <translation>Was %1 außer dem Hinweis für jede Stufe gesagt wird</translation>
    </message>
    <message>
        <source>every stage</source>
        <translation>jede Stufe</translation>
    </message>
    <message>
        <source>%1, has one</source>
        <translation>%1, vorhanden</translation>
    </message>
</context>
<context>
    <name>gks::HistoryModel</name>
    <message>
        <source>can be undone</source>
        <translation>umkehrbar</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>rückgängig gemacht</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Betrifft</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>not yours</source>
        <translation>nicht von Ihnen</translation>
    </message>
    <message>
        <source>evaluations %1</source>
        <translation>Auswertungen %1</translation>
    </message>
    <message>
        <source>minutes %1</source>
        <translation>Minuten %1</translation>
    </message>
    <message>
        <source>cost $%1</source>
        <translation>Kosten $%1</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>Kosten %1</translation>
    </message>
    <message>
        <source>tokens %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>device time %1</source>
        <translation>Gerätezeit %1</translation>
    </message>
    <message>
        <source>goal %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>experiments without a new best %1</source>
        <translation>Experimente ohne neuen Besten %1</translation>
    </message>
    <message>
        <source>no limits</source>
        <translation>keine Grenzen</translation>
    </message>
    <message>
        <source>%1, else no limits</source>
        <translation>%1, sonst keine Grenzen</translation>
    </message>
    <message>
        <source>a decision of this kind cannot be undone</source>
        <translation>eine Entscheidung dieser Art lässt sich nicht rückgängig machen</translation>
    </message>
</context>
<context>
    <name>gks::HistoryPanel</name>
    <message>
        <source>Filter the decisions</source>
        <translation>Entscheidungen filtern</translation>
    </message>
    <message>
        <source>Who decided</source>
        <translation>Wer entschieden hat</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo the chosen decision</source>
        <translation>Gewählte Entscheidung rückgängig machen</translation>
    </message>
    <message>
        <source>What was decided</source>
        <translation>Was entschieden wurde</translation>
    </message>
    <message>
        <source>Every decision of yours, of the models and of the engine is kept here. What has not come to anything yet can be undone.</source>
        <translation>Jede Entscheidung von Ihnen, den Modellen und der Engine bleibt hier erhalten. Was noch keine Folgen hat, lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Choose a decision first</source>
        <translation>Zuerst eine Entscheidung wählen</translation>
    </message>
    <message>
        <source>A decision of this kind cannot be undone</source>
        <translation>Eine Entscheidung dieser Art lässt sich nicht rückgängig machen</translation>
    </message>
    <message>
        <source>It stays</source>
        <translation>Sie bleibt</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Why it cannot be undone</source>
        <translation>Warum es sich nicht rückgängig machen lässt</translation>
    </message>
</context>
<context>
    <name>gks::KernelActions</name>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>&amp;Open kernel page</source>
        <translation>Kernelseite ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Compare with parent</source>
        <translation>Mit &amp;Elternkernel vergleichen</translation>
    </message>
    <message>
        <source>Add to co&amp;mparison</source>
        <translation>Zum Ver&amp;gleich hinzufügen</translation>
    </message>
    <message>
        <source>A column of the table on the page Compare, beside the second selected kernel and those that are in it</source>
        <translation>Eine Spalte der Tabelle auf der Seite „Vergleichen“, neben dem zweiten ausgewählten Kernel und denen, die schon darin sind</translation>
    </message>
    <message>
        <source>Show con&amp;versation</source>
        <translation>Gespräch an&amp;zeigen</translation>
    </message>
    <message>
        <source>Cop&amp;y source</source>
        <translation>&amp;Quelltext kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport evidence...</source>
        <translation>Nachweis e&amp;xportieren...</translation>
    </message>
    <message>
        <source>Pin as next &amp;parent</source>
        <translation>Als &amp;nächsten Elternkernel anheften</translation>
    </message>
    <message>
        <source>Pin as &amp;reference kernel</source>
        <translation>Als &amp;Referenzkernel anheften</translation>
    </message>
    <message>
        <source>&amp;Ban as parent</source>
        <translation>Als Elternkernel &amp;sperren</translation>
    </message>
    <message>
        <source>Evaluate &amp;again</source>
        <translation>Erneut &amp;auswerten</translation>
    </message>
    <message>
        <source>&amp;Edit as new kernel</source>
        <translation>Als neuen Kernel &amp;bearbeiten</translation>
    </message>
    <message>
        <source>Measure beside baseline on all &amp;shapes</source>
        <translation>Neben Baseline auf allen S&amp;hapes messen</translation>
    </message>
    <message>
        <source>Measured beside the kernel that speedups refer to, on every benchmark shape</source>
        <translation>Gemessen neben dem Kernel, auf den sich Speedups beziehen, auf allen Benchmark-Shapes</translation>
    </message>
    <message>
        <source>Measure beside the second</source>
        <translation>Neben dem zweiten messen</translation>
    </message>
    <message>
        <source>Measured beside the kernel that is selected as the second (Ctrl+click), on every benchmark shape</source>
        <translation>Gemessen neben dem als zweiter ausgewählten Kernel (Strg+Klick), auf allen Benchmark-Shapes</translation>
    </message>
    <message>
        <source>&amp;Fork from here...</source>
        <translation>Von hier abz&amp;weigen...</translation>
    </message>
    <message>
        <source>A new campaign that begins with this kernel, with the findings and documents of this one</source>
        <translation>Eine neue Kampagne, die mit diesem Kernel beginnt, mit den Erkenntnissen und Dokumenten dieser</translation>
    </message>
    <message>
        <source>Measure beside baseline %1 on all &amp;shapes</source>
        <translation>Neben Baseline %1 auf allen S&amp;hapes messen</translation>
    </message>
    <message>
        <source>Remove from co&amp;mparison</source>
        <translation>Aus Ver&amp;gleich entfernen</translation>
    </message>
    <message>
        <source>Un&amp;ban as parent</source>
        <translation>Als Elternkernel ent&amp;sperren</translation>
    </message>
    <message>
        <source>Measure beside %1</source>
        <translation>Neben %1 messen</translation>
    </message>
    <message>
        <source>Evaluate &amp;now</source>
        <translation>&amp;Jetzt auswerten</translation>
    </message>
    <message>
        <source>Export &amp;kernel...</source>
        <translation>&amp;Kernel exportieren...</translation>
    </message>
    <message>
        <source>As a header, a library, a PyTorch extension, a patch and more, with the choice by shape and the evidence</source>
        <translation>Als Header, Bibliothek, PyTorch-Erweiterung, Patch und mehr, mit der Wahl nach Shape und dem Nachweis</translation>
    </message>
</context>
<context>
    <name>gks::KernelPanel</name>
    <message>
        <source>Why the edit cannot be evaluated</source>
        <translation>Warum die Änderung nicht ausgewertet werden kann</translation>
    </message>
    <message>
        <source>Evaluate &amp;now</source>
        <translation>&amp;Jetzt auswerten</translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation>Jetzt auswerten</translation>
    </message>
    <message>
        <source>Near-duplicate</source>
        <translation>Beinahe-Duplikat</translation>
    </message>
    <message>
        <source>No kernel selected</source>
        <translation>Kein Kernel ausgewählt</translation>
    </message>
    <message>
        <source>Select a kernel in the lineage to see its source, times and evidence.</source>
        <translation>Einen Kernel in der Abstammung auswählen, um Quelltext, Zeiten und Nachweis zu sehen.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Evaluation results</source>
        <translation>Ergebnisse der Auswertung</translation>
    </message>
    <message>
        <source>Evaluates this kernel and what it is compared with, and nothing else</source>
        <translation>Wertet diesen Kernel und seinen Vergleichskernel aus, sonst nichts</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>Title of the new kernel</source>
        <translation>Titel des neuen Kernels</translation>
    </message>
    <message>
        <source>E&amp;valuate</source>
        <translation>Aus&amp;werten</translation>
    </message>
    <message>
        <source>Evaluate the edited kernel</source>
        <translation>Bearbeiteten Kernel auswerten</translation>
    </message>
    <message>
        <source>Adds it to the population; it is evaluated at once, or next while the campaign runs (Ctrl+Enter)</source>
        <translation>Nimmt ihn in die Population auf; er wird sofort ausgewertet, bei laufender Kampagne als nächster (Strg+Enter)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Discard the edit</source>
        <translation>Änderung verwerfen</translation>
    </message>
    <message>
        <source>Export evidence for this kernel</source>
        <translation>Nachweis für diesen Kernel exportieren</translation>
    </message>
    <message>
        <source>Export sources, samples, checks and a report to a folder that replay can verify</source>
        <translation>Quelltexte, Messwerte, Prüfungen und einen Report in einen Ordner exportieren, den Replay prüfen kann</translation>
    </message>
    <message>
        <source>Evaluate the &amp;edited kernel</source>
        <translation>Bearbe&amp;iteten Kernel auswerten</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Compare with near-&amp;duplicate</source>
        <translation>Mit Beinahe-&amp;Duplikat vergleichen</translation>
    </message>
    <message>
        <source>Compare with the earlier, nearly identical kernel</source>
        <translation>Mit dem früheren, fast identischen Kernel vergleichen</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>der Kernel</translation>
    </message>
    <message>
        <source>New kernel, based on %1</source>
        <translation>Neuer Kernel, beruht auf %1</translation>
    </message>
    <message>
        <source>Evaluate or discard this edit first</source>
        <translation>Diese Änderung zuerst auswerten oder verwerfen</translation>
    </message>
    <message>
        <source>%1 was not opened: evaluate or discard this edit first</source>
        <translation>%1 wurde nicht geöffnet: diese Änderung zuerst auswerten oder verwerfen</translation>
    </message>
    <message>
        <source>Edit of %1</source>
        <translation>Änderung an %1</translation>
    </message>
    <message>
        <source>probe, %1</source>
        <translation>Sonde, %1</translation>
    </message>
    <message>
        <source>The source of %1 is still being read. Try again in a moment</source>
        <translation>Der Quelltext von %1 wird noch gelesen. Gleich noch einmal versuchen</translation>
    </message>
    <message>
        <source>Why the source cannot be read</source>
        <translation>Warum der Quelltext nicht lesbar ist</translation>
    </message>
    <message>
        <source>waits; the campaign is not running</source>
        <translation>wartet; die Kampagne läuft nicht</translation>
    </message>
    <message>
        <source>Results of %1, which the new kernel is based on</source>
        <translation>Ergebnisse von %1, auf dem der neue Kernel beruht</translation>
    </message>
</context>
<context>
    <name>gks::KernelSearch</name>
    <message>
        <source>No kernel found</source>
        <translation>Kein Kernel gefunden</translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation>1 Kernel</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 Kernel</translation>
    </message>
    <message>
        <source>%1, %2 of them folded</source>
        <translation>%1, davon %2 eingeklappt</translation>
    </message>
</context>
<context>
    <name>gks::KernelTable</name>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
</context>
<context>
    <name>gks::KnowledgeList</name>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>Einleitung</translation>
    </message>
    <message>
        <source>Included in every prompt</source>
        <translation>In jedem Prompt enthalten</translation>
    </message>
    <message>
        <source>No documents yet. Drop files here.</source>
        <translation>Noch keine Dokumente. Hier ablegen.</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>%1 (off)</source>
        <translation>%1 (aus)</translation>
    </message>
</context>
<context>
    <name>gks::KnowledgePanel</name>
    <message>
        <source>Search documents</source>
        <translation>Dokumente durchsuchen</translation>
    </message>
    <message>
        <source>Knowledge per prompt, in tokens</source>
        <translation>Wissen pro Prompt, in Token</translation>
    </message>
    <message>
        <source>Sections and documents</source>
        <translation>Abschnitte und Dokumente</translation>
    </message>
    <message>
        <source>Section or passages</source>
        <translation>Abschnitt oder Passagen</translation>
    </message>
    <message>
        <source>No section selected</source>
        <translation>Kein Abschnitt ausgewählt</translation>
    </message>
    <message>
        <source>Select a section on the left, or add manuals, papers and notes (text, Markdown, HTML, PDF). Relevant passages go into the prompts.</source>
        <translation>Links einen Abschnitt auswählen oder Handbücher, Papers und Notizen (Text, Markdown, HTML, PDF) hinzufügen. Passende Passagen kommen in die Prompts.</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>Dokumente hinzufügen</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Token limit for sections, digests and passages in one prompt</source>
        <translation>Token-Grenze für Abschnitte, Digests und Passagen in einem Prompt</translation>
    </message>
    <message>
        <source>&amp;Tokens per prompt</source>
        <translation>&amp;Token pro Prompt</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add d&amp;ocuments...</source>
        <translation>Dokumente hin&amp;zufügen...</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Available: machine notes %1 tokens, documents %2 tokens</source>
        <translation>Verfügbar: Maschinennotizen %1 Tokens, Dokumente %2 Token</translation>
    </message>
    <message>
        <source>Reading %1...</source>
        <translation>%1 wird gelesen...</translation>
    </message>
    <message>
        <source>Creating digest of %1...</source>
        <translation>Digest von %1 wird erzeugt...</translation>
    </message>
    <message>
        <source>no campaign file to read the document from</source>
        <translation>keine Kampagnendatei, aus der das Dokument gelesen werden kann</translation>
    </message>
</context>
<context>
    <name>gks::LaneRow</name>
    <message>
        <source>Progress of %1</source>
        <translation>Fortschritt von %1</translation>
    </message>
    <message>
        <source>Cancel work on %1</source>
        <translation>Arbeit an %1 abbrechen</translation>
    </message>
    <message>
        <source>Cancel all current work and pause; kernels and experiments stay queued</source>
        <translation>Alle laufende Arbeit abbrechen und pausieren; Kernel und Experimente bleiben in der Warteschlange</translation>
    </message>
    <message>
        <source>Re-enable</source>
        <translation>Reaktivieren</translation>
    </message>
    <message>
        <source>Re-enable device %1</source>
        <translation>Gerät %1 reaktivieren</translation>
    </message>
    <message>
        <source>Disabled: %1</source>
        <translation>Deaktiviert: %1</translation>
    </message>
</context>
<context>
    <name>gks::LanesDialog</name>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>What is wrong with the devices</source>
        <translation>Was mit den Geräten nicht stimmt</translation>
    </message>
    <message>
        <source>Devices of %1</source>
        <translation>Geräte von %1</translation>
    </message>
    <message>
        <source>Where kernels are evaluated: local:0 is device 0 of the campaign&apos;s target, ssh:HOST:gpu0-7 are eight devices of another machine, slurm:partition=P,gpus=8 eight jobs of a cluster, folder:DIR is a folder whose jobs another machine works off. Empty: the campaign&apos;s own device. Used when the campaign is opened the next time.</source>
        <translation>Wo Kernel ausgewertet werden: local:0 ist Gerät 0 des Ziels der Kampagne, ssh:HOST:gpu0-7 sind acht Geräte einer anderen Maschine, slurm:partition=P,gpus=8 acht Jobs eines Clusters, folder:DIR ist ein Ordner, dessen Aufträge eine andere Maschine abarbeitet. Leer: das eigene Gerät der Kampagne. Gilt ab dem nächsten Öffnen der Kampagne.</translation>
    </message>
    <message>
        <source>Add &amp;folder...</source>
        <translation>&amp;Ordner hinzufügen...</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>What the devices are</source>
        <translation>Was für Geräte es sind</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Look what the devices are</source>
        <translation>Nachsehen, was für Geräte es sind</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>Sieht nach...</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Folder of jobs and results</source>
        <translation>Ordner für Aufträge und Ergebnisse</translation>
    </message>
</context>
<context>
    <name>gks::LineageMinimap</name>
    <message>
        <source>Lineage minimap</source>
        <translation>Übersichtskarte der Abstammung</translation>
    </message>
</context>
<context>
    <name>gks::LineageModel</name>
    <message>
        <source>1 shape</source>
        <translation>1 Shape</translation>
    </message>
    <message>
        <source>%1 shapes</source>
        <translation>%1 Shapes</translation>
    </message>
    <message>
        <source>%1, %2 not decided</source>
        <translation>%1, %2 nicht entschieden</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Champion on</source>
        <translation>Bester auf</translation>
    </message>
    <message>
        <source>Time alone</source>
        <translation>Zeit allein</translation>
    </message>
    <message>
        <source>vs parent</source>
        <translation>ggü. Elternkernel</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
</context>
<context>
    <name>gks::LineagePanel</name>
    <message>
        <source>No kernels yet</source>
        <translation>Noch keine Kernel</translation>
    </message>
    <message>
        <source>The seed kernels appear here when a campaign is open. New kernels hang below them.</source>
        <translation>Die Startkernel erscheinen hier, sobald eine Kampagne offen ist. Neue Kernel hängen darunter.</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Show lineage as &amp;table</source>
        <translation>Abstammung als &amp;Tabelle</translation>
    </message>
    <message>
        <source>Lineage as &amp;picture</source>
        <translation>Abstammung als B&amp;ild</translation>
    </message>
    <message>
        <source>The lineage as a picture. The button beside the title lets the dock float and grow</source>
        <translation>Die Abstammung als Bild. Die Schaltfläche neben dem Titel lässt das Dock schweben und wachsen</translation>
    </message>
    <message>
        <source>Unfold all kernels</source>
        <translation>Alle Kernel ausklappen</translation>
    </message>
    <message>
        <source>Fold families and rounds</source>
        <translation>Familien und Runden einklappen</translation>
    </message>
    <message>
        <source>Grow lineage &amp;downward</source>
        <translation>Abstammung nach &amp;unten wachsen lassen</translation>
    </message>
    <message>
        <source>&amp;Fit lineage in view</source>
        <translation>Abstammung einpa&amp;ssen</translation>
    </message>
    <message>
        <source>&amp;Search kernels</source>
        <translation>Kernel su&amp;chen</translation>
    </message>
    <message>
        <source>&amp;Collapse or expand descendants</source>
        <translation>Nachfahren ein- oder aus&amp;klappen</translation>
    </message>
    <message>
        <source>Next kernel found</source>
        <translation>Nächster gefundener Kernel</translation>
    </message>
    <message>
        <source>Previous kernel found</source>
        <translation>Vorheriger gefundener Kernel</translation>
    </message>
    <message>
        <source>Search kernels by ID, title, verdict, author or source</source>
        <translation>Kernel nach ID, Titel, Urteil, Autor oder Quelltext suchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Follow the &amp;best kernel</source>
        <translation>Dem &amp;besten Kernel folgen</translation>
    </message>
    <message>
        <source>Selects every new best kernel</source>
        <translation>Wählt jeden neuen besten Kernel aus</translation>
    </message>
</context>
<context>
    <name>gks::LineageView</name>
    <message>
        <source>Kernel lineage</source>
        <translation>Abstammung der Kernel</translation>
    </message>
    <message>
        <source>Use the arrow keys to move through the tree and digits to jump to a kernel. Show lineage as table lists the same kernels for screen readers.</source>
        <translation>Mit den Pfeiltasten durch den Baum bewegen, mit Ziffern zu einem Kernel springen. „Abstammung als Tabelle“ listet dieselben Kernel für Screenreader auf.</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>%1 allein</translation>
    </message>
    <message>
        <source>speedup over %1: </source>
        <translation>Speedup gegenüber %1: </translation>
    </message>
    <message>
        <source>made from %1 and %2</source>
        <translation>aus %1 und %2 erzeugt</translation>
    </message>
    <message>
        <source>vs parent: </source>
        <translation>ggü. Elternkernel: </translation>
    </message>
</context>
<context>
    <name>gks::MachineCodeDifference</name>
    <message>
        <source>What the machine code is</source>
        <translation>Was der Maschinencode ist</translation>
    </message>
    <message>
        <source>Difference of the machine code</source>
        <translation>Unterschied des Maschinencodes</translation>
    </message>
    <message>
        <source>%1 and %2 are compiled for their machine code.</source>
        <translation>%1 und %2 werden für ihren Maschinencode kompiliert.</translation>
    </message>
    <message>
        <source>The sources cannot be read: %1</source>
        <translation>Die Quelltexte sind nicht lesbar: %1</translation>
    </message>
    <message>
        <source>%1, without registers and addresses, which differ in every build</source>
        <translation>%1, ohne Register und Adressen, die sich in jedem Build unterscheiden</translation>
    </message>
    <message>
        <source>The machine code of %1 cannot be shown. %2</source>
        <translation>Der Maschinencode von %1 kann nicht gezeigt werden. %2</translation>
    </message>
</context>
<context>
    <name>gks::MachineCodeModel</name>
    <message>
        <source> (the first of more)</source>
        <translation> (der erste von mehreren)</translation>
    </message>
    <message>
        <source>of a header: %1</source>
        <translation>aus einem Header: %1</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Of the source; without one the instruction is of a header</source>
        <translation>Im Quelltext; ohne Zeile stammt der Befehl aus einem Header</translation>
    </message>
    <message>
        <source>Bytes from the begin of the function, hexadecimal</source>
        <translation>Bytes ab Beginn der Funktion, hexadezimal</translation>
    </message>
    <message>
        <source>Where it goes, and whether the wave waits; scratch is memory that spills go to</source>
        <translation>Wohin er geht und ob die Wave wartet; Scratch ist Speicher, in den Spills gehen</translation>
    </message>
    <message>
        <source>A branch shows where it leads</source>
        <translation>Ein Sprung zeigt, wohin er führt</translation>
    </message>
</context>
<context>
    <name>gks::MachineCodePanel</name>
    <message>
        <source>Machine code</source>
        <translation>Maschinencode</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>What the code is for</source>
        <translation>Wofür der Code ist</translation>
    </message>
    <message>
        <source>Instructions by cost</source>
        <translation>Befehle nach Kosten</translation>
    </message>
    <message>
        <source>&amp;Difference from parent</source>
        <translation>&amp;Unterschied zum Elternkernel</translation>
    </message>
    <message>
        <source>Show the difference from the parent&apos;s machine code</source>
        <translation>Unterschied zum Maschinencode des Elternkernels anzeigen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Registers and addresses are left out: they differ in every build</source>
        <translation>Register und Adressen fehlen: sie unterscheiden sich in jedem Build</translation>
    </message>
    <message>
        <source>Machine code: &amp;difference from the parent</source>
        <translation>Maschinencode: &amp;Unterschied zum Elternkernel</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>The machine code of a kernel</source>
        <translation>Der Maschinencode eines Kernels</translation>
    </message>
    <message>
        <source>Select one in the lineage: it is compiled, and its instructions stand beside its source.</source>
        <translation>Einen in der Abstammung auswählen: er wird kompiliert, und seine Befehle stehen neben seinem Quelltext.</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Wird kompiliert</translation>
    </message>
    <message>
        <source>%1 is compiled for its machine code.</source>
        <translation>%1 wird für seinen Maschinencode kompiliert.</translation>
    </message>
    <message>
        <source>Its source cannot be read</source>
        <translation>Sein Quelltext ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1, as the static report: not what the %2 target runs</source>
        <translation>%1, wie der statische Report: nicht, was das Ziel %2 ausführt</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>gegen %1</translation>
    </message>
    <message>
        <source>The machine code of %1 cannot be shown</source>
        <translation>Der Maschinencode von %1 kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>%1: nvdisasm would show SASS</source>
        <translation>%1: nvdisasm würde SASS zeigen</translation>
    </message>
</context>
<context>
    <name>gks::MainWindow</name>
    <message>
        <source>Campaigns</source>
        <translation>Kampagnen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;New campaign...</source>
        <translation>&amp;Neue Kampagne...</translation>
    </message>
    <message>
        <source>&amp;Open campaign...</source>
        <translation>Kampagne ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>A campaign of a model on an NVIDIA H200, read-only</source>
        <translation>Eine Kampagne eines Modells auf einer NVIDIA H200, schreibgeschützt</translation>
    </message>
    <message>
        <source>&amp;Try it here</source>
        <translation>Hier a&amp;usprobieren</translation>
    </message>
    <message>
        <source>fp8-gemm on this machine&apos;s CPU with the tuner, running at once</source>
        <translation>fp8-gemm auf der CPU dieser Maschine mit dem Tuner, läuft sofort los</translation>
    </message>
    <message>
        <source>&amp;Devices...</source>
        <translation>&amp;Geräte...</translation>
    </message>
    <message>
        <source>&amp;Close campaign</source>
        <translation>Kampagne &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Settings...</source>
        <translation>&amp;Einstellungen...</translation>
    </message>
    <message>
        <source>E&amp;dit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Been&amp;den</translation>
    </message>
    <message>
        <source>Toggle &amp;dark theme</source>
        <translation>&amp;Dunkles Design umschalten</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Open the manual at the section for the current page</source>
        <translation>Handbuch beim Abschnitt zur aktuellen Seite öffnen</translation>
    </message>
    <message>
        <source>&amp;Command palette...</source>
        <translation>&amp;Befehlspalette...</translation>
    </message>
    <message>
        <source>&amp;About GPU Kernel Scientist</source>
        <translation>Ü&amp;ber GPU Kernel Scientist</translation>
    </message>
    <message>
        <source>About GPU Kernel Scientist</source>
        <translation>Über GPU Kernel Scientist</translation>
    </message>
    <message>
        <source>GPU Kernel Scientist %1
GPL-3.0-or-later</source>
        <translation>GPU Kernel Scientist %1
GPL-3.0-or-later</translation>
    </message>
    <message>
        <source>%1 - GPU Kernel Scientist</source>
        <translation>%1 - GPU Kernel Scientist</translation>
    </message>
    <message>
        <source>GPU Kernel Scientist</source>
        <translation>GPU Kernel Scientist</translation>
    </message>
    <message>
        <source>Cannot open campaign</source>
        <translation>Kampagne lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>Opening the sample...</source>
        <translation>Beispiel wird geöffnet...</translation>
    </message>
    <message>
        <source>Making the demo campaign...</source>
        <translation>Demo-Kampagne wird erstellt...</translation>
    </message>
    <message>
        <source>Campaign still running</source>
        <translation>Kampagne läuft noch</translation>
    </message>
    <message>
        <source>This campaign is still running. Close it anyway?</source>
        <translation>Diese Kampagne läuft noch. Trotzdem schließen?</translation>
    </message>
    <message>
        <source>Finished evaluations are kept in every case.</source>
        <translation>Fertige Auswertungen bleiben in jedem Fall erhalten.</translation>
    </message>
    <message>
        <source>&amp;Keep running in background</source>
        <translation>Im &amp;Hintergrund weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Pause after the &amp;current kernel</source>
        <translation>Nach &amp;aktuellem Kernel pausieren</translation>
    </message>
    <message>
        <source>&amp;Stop now</source>
        <translation>&amp;Sofort stoppen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Unsaved text</source>
        <translation>Nicht gespeicherter Text</translation>
    </message>
    <message>
        <source>Not saved yet:</source>
        <translation>Noch nicht gespeichert:</translation>
    </message>
    <message>
        <source>Kept text comes back when the campaign is opened again. Saving the kernel keeps the rest.</source>
        <translation>Behaltener Text kommt beim nächsten Öffnen der Kampagne zurück. Speichern des Kernels behält den Rest.</translation>
    </message>
    <message>
        <source>Kept text comes back when the campaign is opened again.</source>
        <translation>Behaltener Text kommt beim nächsten Öffnen der Kampagne zurück.</translation>
    </message>
    <message>
        <source>&amp;Save as new kernel</source>
        <translation>Als neuen Kernel &amp;speichern</translation>
    </message>
    <message>
        <source>&amp;Keep for next time</source>
        <translation>Für spä&amp;ter behalten</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>S&amp;tay</source>
        <translation>&amp;Bleiben</translation>
    </message>
    <message>
        <source>Another user&apos;s program or another machine</source>
        <translation>Ein Programm eines anderen Benutzers oder eine andere Maschine</translation>
    </message>
    <message>
        <source>The campaign is open elsewhere</source>
        <translation>Die Kampagne ist anderswo geöffnet</translation>
    </message>
    <message>
        <source>%1 is open elsewhere: %2.</source>
        <translation>%1 ist anderswo geöffnet: %2.</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>&amp;Zusehen</translation>
    </message>
    <message>
        <source>&amp;Take over</source>
        <translation>Über&amp;nehmen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stoppen</translation>
    </message>
    <message>
        <source>Open campaign</source>
        <translation>Kampagne öffnen</translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation>Kampagnen (*.gks)</translation>
    </message>
    <message>
        <source>Drop a campaign (.gks), kernels (.hip) or the folder of a problem pack</source>
        <translation>Eine Kampagne (.gks), Kernel (.hip) oder den Ordner eines Problempakets ablegen</translation>
    </message>
    <message>
        <source>Cannot open kernel</source>
        <translation>Kernel lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Cannot open what was dropped</source>
        <translation>Das Abgelegte lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Watch follows the run; what you decide is carried out there.</source>
        <translation>„Zusehen“ folgt dem Lauf; was Sie entscheiden, wird dort ausgeführt.</translation>
    </message>
    <message>
        <source>Watch opens it read-only and follows the run. One program at a time may change it.</source>
        <translation>„Zusehen“ öffnet sie schreibgeschützt und folgt dem Lauf. Nur ein Programm zugleich darf sie ändern.</translation>
    </message>
    <message>
        <source>Open re&amp;mote...</source>
        <translation>Von &amp;fern öffnen...</translation>
    </message>
    <message>
        <source>A campaign on another machine, watched and steered by ssh</source>
        <translation>Eine Kampagne auf einer anderen Maschine, über ssh beobachtet und gesteuert</translation>
    </message>
    <message>
        <source>Open remote</source>
        <translation>Von fern öffnen</translation>
    </message>
    <message>
        <source>Address of the campaign. ssh has to get there without a question, and
kernel-scientist-cli has to be there:</source>
        <translation>Adresse der Kampagne. ssh muss ohne Rückfrage dorthin gelangen, und
kernel-scientist-cli muss dort sein:</translation>
    </message>
    <message>
        <source>Address of the campaign</source>
        <translation>Adresse der Kampagne</translation>
    </message>
</context>
<context>
    <name>gks::MessageLabel</name>
    <message>
        <source>&amp;Copy message</source>
        <translation>Meldung &amp;kopieren</translation>
    </message>
</context>
<context>
    <name>gks::ModelAddress</name>
    <message>
        <source>Base URL</source>
        <translation>Basis-URL</translation>
    </message>
    <message>
        <source>&amp;Browse...</source>
        <translation>Du&amp;rchsuchen...</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Comm&amp;and</source>
        <translation>Be&amp;fehl</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Base &amp;URL</source>
        <translation>Basis-UR&amp;L</translation>
    </message>
    <message>
        <source>https://...</source>
        <translation>https://...</translation>
    </message>
    <message>
        <source>Command that answers</source>
        <translation>Befehl, der antwortet</translation>
    </message>
    <message>
        <source>Gets the prompt on standard input and prints the reply. Runs with your rights, without a shell, in an empty folder.</source>
        <translation>Erhält den Prompt auf der Standardeingabe und gibt die Antwort aus. Läuft mit Ihren Rechten, ohne Shell, in einem leeren Ordner.</translation>
    </message>
    <message>
        <source>Folder for requests and replies</source>
        <translation>Ordner für Anfragen und Antworten</translation>
    </message>
    <message>
        <source>full path of a folder</source>
        <translation>voller Pfad eines Ordners</translation>
    </message>
    <message>
        <source>Each prompt is written as 0001.request.md. Put the reply beside it as 0001.reply.md.</source>
        <translation>Jeder Prompt wird als 0001.request.md geschrieben. Die Antwort als 0001.reply.md daneben legen.</translation>
    </message>
    <message>
        <source>file of the recording</source>
        <translation>Datei der Aufzeichnung</translation>
    </message>
    <message>
        <source>✓ runs %1</source>
        <translation>✓ startet %1</translation>
    </message>
    <message>
        <source>✗ %1</source>
        <translation>✗ %1</translation>
    </message>
    <message>
        <source>✓ found</source>
        <translation>✓ gefunden</translation>
    </message>
    <message>
        <source>✗ folder not found</source>
        <translation>✗ Ordner nicht gefunden</translation>
    </message>
</context>
<context>
    <name>gks::ModelForm</name>
    <message>
        <source>connect </source>
        <translation>Verbinden </translation>
    </message>
    <message>
        <source>Limit for connecting</source>
        <translation>Grenze für das Verbinden</translation>
    </message>
    <message>
        <source>Longest wait for a connection to the server</source>
        <translation>Längstes Warten auf eine Verbindung zum Server</translation>
    </message>
    <message>
        <source>silence </source>
        <translation>Stille </translation>
    </message>
    <message>
        <source>Limit for silence</source>
        <translation>Grenze für Stille</translation>
    </message>
    <message>
        <source>Longest silence of a server that has the request: a model that thinks may send nothing for minutes</source>
        <translation>Längste Stille eines Servers, der die Anfrage hat: ein denkendes Modell sendet oft minutenlang nichts</translation>
    </message>
    <message>
        <source>total </source>
        <translation>gesamt </translation>
    </message>
    <message>
        <source>Limit for the whole call</source>
        <translation>Grenze für den ganzen Aufruf</translation>
    </message>
    <message>
        <source>Longest time from sending a request to the end of its reply</source>
        <translation>Längste Zeit vom Senden einer Anfrage bis zum Ende ihrer Antwort</translation>
    </message>
    <message>
        <source>for </source>
        <translation>für </translation>
    </message>
    <message>
        <source>How long a refused request is tried again</source>
        <translation>Wie lange eine abgewiesene Anfrage wiederholt wird</translation>
    </message>
    <message>
        <source>How long a request is tried again that the server did not accept: it is not there, busy or overloaded</source>
        <translation>Wie lange eine Anfrage wiederholt wird, die der Server nicht annahm: er fehlt, ist beschäftigt oder überlastet</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Model name</source>
        <translation>Modellname</translation>
    </message>
    <message>
        <source>Environment variable with the API key</source>
        <translation>Umgebungsvariable mit dem API-Key</translation>
    </message>
    <message>
        <source>Set &amp;key...</source>
        <translation>&amp;Key setzen...</translation>
    </message>
    <message>
        <source>Store the API key in the keyring</source>
        <translation>API-Key im Schlüsselbund speichern</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Reasoning effort</source>
        <translation>Denkaufwand</translation>
    </message>
    <message>
        <source>Maximum output tokens</source>
        <translation>Höchstzahl Ausgabe-Token</translation>
    </message>
    <message>
        <source>Resend after silence</source>
        <translation>Nach Stille erneut senden</translation>
    </message>
    <message>
        <source>Input errors</source>
        <translation>Eingabefehler</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation>Verbindung testen</translation>
    </message>
    <message>
        <source>Test result</source>
        <translation>Testergebnis</translation>
    </message>
    <message>
        <source>Environment variable that holds the API key; its keyring entry has the same name</source>
        <translation>Umgebungsvariable mit dem API-Key; sein Eintrag im Schlüsselbund heißt genauso</translation>
    </message>
    <message>
        <source>Provider default</source>
        <translation>Vorgabe des Providers</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Thinking is not counted: it gets room of its own, see models.toml</source>
        <translation>Denken zählt nicht mit: es bekommt eigenen Platz, siehe models.toml</translation>
    </message>
    <message>
        <source>Sends a request again that was accepted and got no whole reply; it may be billed twice</source>
        <translation>Sendet eine Anfrage erneut, die angenommen wurde und keine vollständige Antwort erhielt; sie kann doppelt berechnet werden</translation>
    </message>
    <message>
        <source>Send one small request to check base URL, API key and model name</source>
        <translation>Eine kleine Anfrage senden, um Basis-URL, API-Key und Modellnamen zu prüfen</translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation>&amp;Provider</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>API key &amp;variable</source>
        <translation>&amp;Variable für API-Key</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>T&amp;emperatur</translation>
    </message>
    <message>
        <source>&amp;Reasoning effort</source>
        <translation>&amp;Denkaufwand</translation>
    </message>
    <message>
        <source>Ma&amp;x output tokens</source>
        <translation>Ma&amp;x. Ausgabe-Token</translation>
    </message>
    <message>
        <source>L&amp;imits</source>
        <translation>L&amp;imits</translation>
    </message>
    <message>
        <source>Tr&amp;y again</source>
        <translation>Erneut vers&amp;uchen</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>Optional</translation>
    </message>
    <message>
        <source>No API key needed</source>
        <translation>Kein API-Key nötig</translation>
    </message>
    <message>
        <source>The command gets no key from the environment</source>
        <translation>Der Befehl erhält keinen Key aus der Umgebung</translation>
    </message>
    <message>
        <source>No API key (fine for a local server)</source>
        <translation>Kein API-Key (in Ordnung für einen lokalen Server)</translation>
    </message>
    <message>
        <source>✓ Found in the environment</source>
        <translation>✓ In der Umgebung gefunden</translation>
    </message>
    <message>
        <source>✓ Found in the keyring</source>
        <translation>✓ Im Schlüsselbund gefunden</translation>
    </message>
    <message>
        <source>✗ Not set in the environment</source>
        <translation>✗ In der Umgebung nicht gesetzt</translation>
    </message>
    <message>
        <source>✗ Not in the environment or the keyring. Use Set key... to store it.</source>
        <translation>✗ Weder in der Umgebung noch im Schlüsselbund. Mit „Key setzen...“ speichern.</translation>
    </message>
    <message>
        <source>✗ Not set in the environment; the keyring is unavailable: %1</source>
        <translation>✗ In der Umgebung nicht gesetzt; der Schlüsselbund ist nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>API key for %1</source>
        <translation>API-Key für %1</translation>
    </message>
    <message>
        <source>The key is stored only in the desktop keyring. Leave it empty to remove the stored key.</source>
        <translation>Der Key wird nur im Schlüsselbund des Desktops gespeichert. Leer lassen, um den gespeicherten Key zu entfernen.</translation>
    </message>
    <message>
        <source>Enter the recording file.</source>
        <translation>Die Datei der Aufzeichnung angeben.</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>Abbre&amp;chen</translation>
    </message>
    <message>
        <source>Cancel the test</source>
        <translation>Test abbrechen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>✗ %1</source>
        <translation>✗ %1</translation>
    </message>
    <message>
        <source>✓ Reply after %1</source>
        <translation>✓ Antwort nach %1</translation>
    </message>
    <message>
        <source>Waiting for a reply in the folder...</source>
        <translation>Warten auf eine Antwort im Ordner...</translation>
    </message>
    <message>
        <source>Testing...</source>
        <translation>Test läuft...</translation>
    </message>
    <message>
        <source>Resend after &amp;silence</source>
        <translation>Nach &amp;Stille erneut senden</translation>
    </message>
</context>
<context>
    <name>gks::MoreSettings</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Goal in microseconds</source>
        <translation>Zielwert in Mikrosekunden</translation>
    </message>
    <message>
        <source>End after experiments without a new best</source>
        <translation>Ende nach Experimenten ohne neuen Bestwert</translation>
    </message>
    <message>
        <source>Measuring time of one kernel</source>
        <translation>Messzeit eines Kernels</translation>
    </message>
    <message>
        <source>Drafts of an experiment</source>
        <translation>Entwürfe eines Experiments</translation>
    </message>
    <message>
        <source>Measure the built-in probes first</source>
        <translation>Eingebaute Sonden vorab messen</translation>
    </message>
    <message>
        <source>Which shapes are measured; on the CPU every choice means the pack&apos;s shapes for it</source>
        <translation>Welche Shapes gemessen werden; auf der CPU bedeutet jede Wahl die Shapes des Pakets dafür</translation>
    </message>
    <message>
        <source> µs</source>
        <translation> µs</translation>
    </message>
    <message>
        <source>no goal</source>
        <translation>kein Zielwert</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Ends after so many experiments in a row without a new best</source>
        <translation>Endet nach so vielen Experimenten in Folge ohne neuen Bestwert</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>How often a model writes each experiment, side by side</source>
        <translation>Wie oft ein Modell jedes Experiment schreibt, nebeneinander</translation>
    </message>
    <message>
        <source>De&amp;vice</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>S&amp;hapes</source>
        <translation>S&amp;hapes</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>Ziel&amp;wert</translation>
    </message>
    <message>
        <source>End a&amp;fter</source>
        <translation>&amp;Beenden nach</translation>
    </message>
    <message>
        <source>Meas&amp;uring</source>
        <translation>&amp;Messzeit</translation>
    </message>
    <message>
        <source>Dr&amp;afts</source>
        <translation>E&amp;ntwürfe</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Measure the built-in &amp;probes first</source>
        <translation>Eingebaute &amp;Sonden zuerst messen</translation>
    </message>
</context>
<context>
    <name>gks::NearDuplicateLine</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
</context>
<context>
    <name>gks::NewCampaignDialog</name>
    <message>
        <source>Folder of a problem pack</source>
        <translation>Ordner eines Problempakets</translation>
    </message>
    <message>
        <source>Kernels to begin with</source>
        <translation>Kernel für den Anfang</translation>
    </message>
    <message>
        <source>HIP sources (*.hip);;All files (*)</source>
        <translation>HIP-Quelltexte (*.hip);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Campaign file</source>
        <translation>Kampagnendatei</translation>
    </message>
    <message>
        <source>Campaigns (*.gks)</source>
        <translation>Kampagnen (*.gks)</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>&amp;Browse for a problem pack...</source>
        <translation>Problempaket &amp;suchen...</translation>
    </message>
    <message>
        <source>Browse for a problem pack</source>
        <translation>Problempaket suchen</translation>
    </message>
    <message>
        <source>About the problem</source>
        <translation>Über das Problem</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Scientist</source>
        <translation>Scientist</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Check code before it runs</source>
        <translation>Code vor dem Ausführen prüfen</translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation>Auswertungsbudget</translation>
    </message>
    <message>
        <source>Wall-time budget in minutes</source>
        <translation>Laufzeitbudget in Minuten</translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation>Kostenbudget in US-Dollar</translation>
    </message>
    <message>
        <source>Bro&amp;wse...</source>
        <translation>Dur&amp;chsuchen...</translation>
    </message>
    <message>
        <source>Choose the campaign file</source>
        <translation>Kampagnendatei wählen</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>New campaign</source>
        <translation>Neue Kampagne</translation>
    </message>
    <message>
        <source>Cr&amp;eate</source>
        <translation>Ers&amp;tellen</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1   your own</source>
        <translation>%1   eigenes</translation>
    </message>
    <message>
        <source>The same HIP source runs on the CPU. Timings are CPU timings; the static report is for gfx942.</source>
        <translation>Derselbe HIP-Quelltext läuft auf der CPU. Zeiten sind CPU-Zeiten; der statische Report gilt für gfx942.</translation>
    </message>
    <message>
        <source>Select a problem.</source>
        <translation>Ein Problem auswählen.</translation>
    </message>
    <message>
        <source>Tick at least one kernel to begin with, or add one of your own.</source>
        <translation>Mindestens einen Kernel für den Anfang ankreuzen oder einen eigenen hinzufügen.</translation>
    </message>
    <message>
        <source>No device found for this target. Choose another target.</source>
        <translation>Kein Gerät für dieses Ziel gefunden. Ein anderes Ziel wählen.</translation>
    </message>
    <message>
        <source>Enter a campaign file.</source>
        <translation>Eine Kampagnendatei angeben.</translation>
    </message>
    <message>
        <source>This file already exists. Choose another name.</source>
        <translation>Diese Datei existiert bereits. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>&amp;Problem</source>
        <translation>&amp;Problem</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Tuner (searches tunables, needs no model)</source>
        <translation>Tuner (durchsucht Tunables, braucht kein Modell)</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>A draft of a model waits until you approve its code</source>
        <translation>Ein Entwurf eines Modells wartet, bis Sie seinen Code freigeben</translation>
    </message>
    <message>
        <source>Settings of the campaign</source>
        <translation>Einstellungen der Kampagne</translation>
    </message>
    <message>
        <source>Te&amp;mplate</source>
        <translation>Vor&amp;lage</translation>
    </message>
    <message>
        <source>See&amp;ds</source>
        <translation>Start&amp;kernel</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>&amp;Scientist</source>
        <translation>&amp;Scientist</translation>
    </message>
    <message>
        <source>M&amp;ode</source>
        <translation>M&amp;odus</translation>
    </message>
    <message>
        <source>&amp;Evaluations</source>
        <translation>&amp;Auswertungen</translation>
    </message>
    <message>
        <source>Wall t&amp;ime</source>
        <translation>Laufze&amp;it</translation>
    </message>
    <message>
        <source>Cost (US&amp;D)</source>
        <translation>Kosten (US&amp;D)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>Dat&amp;ei</translation>
    </message>
    <message>
        <source>More settin&amp;gs</source>
        <translation>Weitere Einstell&amp;ungen</translation>
    </message>
    <message>
        <source>Check &amp;code before it runs</source>
        <translation>Code vor dem Ausfüh&amp;ren prüfen</translation>
    </message>
    <message>
        <source>

**Judged by the user&apos;s harness**: a command pack. Its kernels are files of the kind of `%1`.</source>
        <translation>

**Beurteilt von der Testumgebung des Benutzers**: ein Befehlspaket. Seine Kernel sind Dateien von der Art von `%1`.</translation>
    </message>
    <message>
        <source>Your harness builds and runs the kernels. It sees this device and no other one.</source>
        <translation>Ihre Testumgebung baut die Kernel und führt sie aus. Sie sieht dieses Gerät und kein anderes.</translation>
    </message>
    <message>
        <source>A folder with problem.toml, reference.cpp, notes.md and seeds, or with harness.toml; it is checked at once</source>
        <translation>Ein Ordner mit problem.toml, reference.cpp, notes.md und seeds, oder mit harness.toml; er wird sofort geprüft</translation>
    </message>
</context>
<context>
    <name>gks::NextParentCard</name>
    <message>
        <source>P&amp;in selected</source>
        <translation>Aus&amp;wahl anheften</translation>
    </message>
    <message>
        <source>U&amp;npin</source>
        <translation>Lö&amp;sen</translation>
    </message>
    <message>
        <source>Next parent</source>
        <translation>Nächster Elternkernel</translation>
    </message>
    <message>
        <source>Pin the selected kernel as the next parent</source>
        <translation>Ausgewählten Kernel als nächsten Elternkernel anheften</translation>
    </message>
    <message>
        <source>Unpin the next parent</source>
        <translation>Nächsten Elternkernel lösen</translation>
    </message>
    <message>
        <source>Not selected yet</source>
        <translation>Noch nicht ausgewählt</translation>
    </message>
    <message>
        <source>Pinned by you</source>
        <translation>Von Ihnen angeheftet</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>Grund: %1</translation>
    </message>
    <message>
        <source>Selected automatically during a run. To choose it yourself, select a kernel and press P.</source>
        <translation>Wird während eines Laufs automatisch ausgewählt. Um selbst zu wählen, einen Kernel auswählen und P drücken.</translation>
    </message>
    <message>
        <source>Reference kernel: %1</source>
        <translation>Referenzkernel: %1</translation>
    </message>
    <message>
        <source>Pin %1 as the next parent (P)</source>
        <translation>%1 als nächsten Elternkernel anheften (P)</translation>
    </message>
    <message>
        <source>Select a kernel first</source>
        <translation>Zuerst einen Kernel auswählen</translation>
    </message>
</context>
<context>
    <name>gks::OutlineDelegate</name>
    <message>
        <source>suspected</source>
        <translation>verdächtig</translation>
    </message>
</context>
<context>
    <name>gks::OutlineModel</name>
    <message>
        <source>%1 variants, none accepted</source>
        <translation>%1 Varianten, keine angenommen</translation>
    </message>
    <message>
        <source>%1 variants, best %2 %3</source>
        <translation>%1 Varianten, beste %2 %3</translation>
    </message>
    <message>
        <source>%1, on the best path</source>
        <translation>%1, auf dem besten Pfad</translation>
    </message>
    <message>
        <source>%1 kernels folded</source>
        <translation>%1 Kernel eingeklappt</translation>
    </message>
    <message>
        <source>%1 kernels folded, best %2 %3</source>
        <translation>%1 Kernel eingeklappt, bester %2 %3</translation>
    </message>
    <message>
        <source>%1, none accepted</source>
        <translation>%1, keiner bestanden</translation>
    </message>
    <message>
        <source>%1, best %2 %3</source>
        <translation>%1, bester %2 %3</translation>
    </message>
    <message>
        <source>%1, best %2</source>
        <translation>%1, bester %2</translation>
    </message>
    <message>
        <source>%1 more below</source>
        <translation>%1 weitere darunter</translation>
    </message>
</context>
<context>
    <name>gks::OutlineView</name>
    <message>
        <source>Outline of kernels</source>
        <translation>Gliederung der Kernel</translation>
    </message>
</context>
<context>
    <name>gks::PageBar</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>Seite %1</translation>
    </message>
</context>
<context>
    <name>gks::PersonDialog</name>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>&amp;Send reply</source>
        <translation>Antwort &amp;senden</translation>
    </message>
    <message>
        <source>Send reply</source>
        <translation>Antwort senden</translation>
    </message>
    <message>
        <source>Paste the reply here (the JSON object the prompt asks for)</source>
        <translation>Die Antwort hier einfügen (das JSON-Objekt, das der Prompt verlangt)</translation>
    </message>
    <message>
        <source>&amp;Copy prompt</source>
        <translation>Prompt &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy prompt</source>
        <translation>Prompt kopieren</translation>
    </message>
    <message>
        <source>&amp;Decline</source>
        <translation>Ab&amp;lehnen</translation>
    </message>
    <message>
        <source>Decline to reply</source>
        <translation>Antwort ablehnen</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Enter</translation>
    </message>
    <message>
        <source>Reply for the %1</source>
        <translation>Antwort für %1</translation>
    </message>
    <message>
        <source>Reply as the %1</source>
        <translation>Antwort als %1</translation>
    </message>
    <message>
        <source>The %1 is waiting for your reply. Copy the prompt, get a reply elsewhere, and paste it below.</source>
        <translation>%1 wartet auf Ihre Antwort. Den Prompt kopieren, anderswo eine Antwort einholen und unten einfügen.</translation>
    </message>
    <message>
        <source>Kept reply</source>
        <translation>Aufgehobene Antwort</translation>
    </message>
    <message>
        <source>&amp;Insert kept reply</source>
        <translation>Aufgehobene Antwort &amp;einfügen</translation>
    </message>
    <message>
        <source>Insert kept reply</source>
        <translation>Aufgehobene Antwort einfügen</translation>
    </message>
    <message>
        <source>The stage fails. Closing this window does the same. What you typed is kept.</source>
        <translation>Die Stufe schlägt fehl. Schließen dieses Fensters bewirkt dasselbe. Was getippt wurde, bleibt erhalten.</translation>
    </message>
    <message>
        <source>This is what you typed for this prompt before.</source>
        <translation>Das wurde für diesen Prompt zuvor getippt.</translation>
    </message>
    <message>
        <source>A reply for the %1 that was not sent is kept.</source>
        <translation>Eine nicht gesendete Antwort (%1) ist aufgehoben.</translation>
    </message>
</context>
<context>
    <name>gks::PlanModel</name>
    <message>
        <source>Added (+), removed (-) or changed (~) since the parent</source>
        <translation>Hinzugefügt (+), entfernt (-) oder geändert (~) seit dem Elternkernel</translation>
    </message>
    <message>
        <source>What the device is asked to do, in the order of the calls</source>
        <translation>Was vom Gerät verlangt wird, in der Reihenfolge der Aufrufe</translation>
    </message>
    <message>
        <source>The kernel, or what is filled, copied or written</source>
        <translation>Der Kernel, oder was gefüllt, kopiert oder geschrieben wird</translation>
    </message>
    <message>
        <source>Blocks of a launch</source>
        <translation>Blocks eines Starts</translation>
    </message>
    <message>
        <source>Threads of a block</source>
        <translation>Threads eines Blocks</translation>
    </message>
    <message>
        <source>Dynamic LDS of a launch</source>
        <translation>Dynamisches LDS eines Starts</translation>
    </message>
    <message>
        <source>Operations of one stream run in order; events order streams</source>
        <translation>Operationen eines Streams laufen der Reihe nach; Events ordnen Streams</translation>
    </message>
    <message>
        <source>By name where the value is an address of a tensor or equals a dim</source>
        <translation>Mit Namen, wo der Wert die Adresse eines Tensors ist oder einer Dimension gleicht</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>LDS</source>
        <translation>LDS</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
</context>
<context>
    <name>gks::PlanPanel</name>
    <message>
        <source>Shape of the launch plan</source>
        <translation>Shape des Launch-Plans</translation>
    </message>
    <message>
        <source>Compare with the plan of the parent</source>
        <translation>Mit dem Plan des Elternkernels vergleichen</translation>
    </message>
    <message>
        <source>Launch plan</source>
        <translation>Launch-Plan</translation>
    </message>
    <message>
        <source>Setup, once before the first call</source>
        <translation>Setup, einmal vor dem ersten Aufruf</translation>
    </message>
    <message>
        <source>Compare &amp;with parent</source>
        <translation>&amp;Mit Elternkernel vergleichen</translation>
    </message>
    <message>
        <source>As the process with the host code says it: no verdict rests on it</source>
        <translation>Nach Angabe des Prozesses mit dem Host-Code: kein Urteil beruht darauf</translation>
    </message>
    <message>
        <source>S&amp;hape</source>
        <translation>S&amp;hape</translation>
    </message>
    <message>
        <source>No launch plan yet</source>
        <translation>Noch kein Launch-Plan</translation>
    </message>
    <message>
        <source>Select a kernel in the lineage to see what its solve() asks of the device.</source>
        <translation>Einen Kernel in der Abstammung auswählen, um zu sehen, was sein solve() vom Gerät verlangt.</translation>
    </message>
    <message>
        <source>The launch plan cannot be read</source>
        <translation>Der Launch-Plan ist nicht lesbar</translation>
    </message>
    <message>
        <source>This kernel was evaluated without one: by an earlier version, or it did not get as far as a plan.</source>
        <translation>Dieser Kernel wurde ohne Plan ausgewertet: von einer früheren Version, oder er kam nicht bis zu einem Plan.</translation>
    </message>
    <message>
        <source>It is made when this kernel is evaluated.</source>
        <translation>Er entsteht, wenn dieser Kernel ausgewertet wird.</translation>
    </message>
    <message>
        <source>vs %1: %2</source>
        <translation>ggü. %1: %2</translation>
    </message>
    <message>
        <source>no parent</source>
        <translation>kein Elternkernel</translation>
    </message>
    <message>
        <source>no plan of the parent can be shown</source>
        <translation>kein Plan des Elternkernels anzeigbar</translation>
    </message>
    <message>
        <source>No launch plan</source>
        <translation>Kein Launch-Plan</translation>
    </message>
    <message>
        <source>A command pack has none: its own harness launches the kernel.</source>
        <translation>Ein Befehlspaket hat keinen: Seine eigene Testumgebung startet den Kernel.</translation>
    </message>
</context>
<context>
    <name>gks::PoliciesForm</name>
    <message>
        <source>Policy for the next parent</source>
        <translation>Regel für den nächsten Elternkernel</translation>
    </message>
    <message>
        <source>Policy for picking experiments</source>
        <translation>Regel für die Wahl von Experimenten</translation>
    </message>
    <message>
        <source>Tuning evaluations per new kernel</source>
        <translation>Tuning-Auswertungen pro neuem Kernel</translation>
    </message>
    <message>
        <source>Knowledge per prompt, in tokens</source>
        <translation>Wissen pro Prompt, in Token</translation>
    </message>
    <message>
        <source>Most calls of models at the same time</source>
        <translation>Höchstzahl gleichzeitiger Modellaufrufe</translation>
    </message>
    <message>
        <source>Drafts of an experiment, written side by side</source>
        <translation>Entwürfe eines Experiments, nebeneinander geschrieben</translation>
    </message>
    <message>
        <source>Experiments without a new best after which another kind is asked for</source>
        <translation>Experimente ohne neuen Bestwert, nach denen eine andere Art verlangt wird</translation>
    </message>
    <message>
        <source>Check the &amp;Writer&apos;s report with a second model call</source>
        <translation>Report des &amp;Writers mit zweitem Modellaufruf prüfen</translation>
    </message>
    <message>
        <source>Check the Writer&apos;s report</source>
        <translation>Report des Writers prüfen</translation>
    </message>
    <message>
        <source>Build and plan drafts before a device takes them</source>
        <translation>Entwürfe bauen und planen, bevor ein Gerät sie nimmt</translation>
    </message>
    <message>
        <source>Measure the built-in probes before anything else</source>
        <translation>Eingebaute Sonden vor allem anderen messen</translation>
    </message>
    <message>
        <source>Ask the Selector model</source>
        <translation>Das Selector-Modell fragen</translation>
    </message>
    <message>
        <source>Best kernel</source>
        <translation>Bester Kernel</translation>
    </message>
    <message>
        <source>Upper confidence bound (fast and little tried)</source>
        <translation>Obere Konfidenzgrenze (schnell und wenig erprobt)</translation>
    </message>
    <message>
        <source>Least explored kernel</source>
        <translation>Am wenigsten erkundeter Kernel</translation>
    </message>
    <message>
        <source>Three of five: most innovative, highest potential, most certain</source>
        <translation>Drei von fünf: innovativstes, höchstes Potenzial, sicherstes</translation>
    </message>
    <message>
        <source>Highest expected gain</source>
        <translation>Höchster erwarteter Gewinn</translation>
    </message>
    <message>
        <source>Most certain gain</source>
        <translation>Sicherster Gewinn</translation>
    </message>
    <message>
        <source>Most innovative</source>
        <translation>Innovativstes</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source> evaluations</source>
        <translation> Auswertungen</translation>
    </message>
    <message>
        <source>Tuner evaluations for each new kernel with tunables, before its verdict</source>
        <translation>Tuner-Auswertungen für jeden neuen Kernel mit Tunables, vor seinem Urteil</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Tokens of machine notes and documents in one prompt</source>
        <translation>Token aus Maschinennotizen und Dokumenten in einem Prompt</translation>
    </message>
    <message>
        <source> at a time</source>
        <translation> gleichzeitig</translation>
    </message>
    <message>
        <source>A person who answers is asked one by one</source>
        <translation>Wer als Person antwortet, wird einzeln gefragt</translation>
    </message>
    <message>
        <source> of each experiment</source>
        <translation> je Experiment</translation>
    </message>
    <message>
        <source>Written side by side, each with another temperature or writer; the best one counts</source>
        <translation>Nebeneinander geschrieben, jeder mit anderer Temperatur oder anderem Writer; der beste zählt</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source> without a new best</source>
        <translation> ohne neuen Bestwert</translation>
    </message>
    <message>
        <source>After so many experiments the next round is asked for another kind than most of them</source>
        <translation>Nach so vielen Experimenten soll die nächste Runde eine andere Art liefern als die meisten davon</translation>
    </message>
    <message>
        <source>What does not build goes back to its writer without a device</source>
        <translation>Was nicht baut, geht ohne Gerät an seinen Writer zurück</translation>
    </message>
    <message>
        <source>Their figures open the findings, and the first design reads them</source>
        <translation>Ihre Zahlen eröffnen die Erkenntnisse, und das erste Design liest sie</translation>
    </message>
    <message>
        <source>Next &amp;parent</source>
        <translation>Nächster &amp;Elternkernel</translation>
    </message>
    <message>
        <source>Pick e&amp;xperiments</source>
        <translation>E&amp;xperimente auswählen</translation>
    </message>
    <message>
        <source>&amp;Tune new kernels</source>
        <translation>Neue Kernel &amp;tunen</translation>
    </message>
    <message>
        <source>&amp;Knowledge per prompt</source>
        <translation>&amp;Wissen pro Prompt</translation>
    </message>
    <message>
        <source>&amp;Calls</source>
        <translation>&amp;Aufrufe</translation>
    </message>
    <message>
        <source>Dra&amp;fts</source>
        <translation>Entwür&amp;fe</translation>
    </message>
    <message>
        <source>Another k&amp;ind after</source>
        <translation>An&amp;dere Art nach</translation>
    </message>
    <message>
        <source>Bui&amp;ld and plan drafts before a device takes them</source>
        <translation>Entwürfe bauen und p&amp;lanen, bevor ein Gerät sie nimmt</translation>
    </message>
    <message>
        <source>Measure the &amp;built-in probes first</source>
        <translation>Einge&amp;baute Sonden zuerst messen</translation>
    </message>
</context>
<context>
    <name>gks::ProblemPage</name>
    <message>
        <source>Problem notes</source>
        <translation>Notizen zum Problem</translation>
    </message>
    <message>
        <source>Problem shapes</source>
        <translation>Shapes des Problems</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Generated header problem.h</source>
        <translation>Erzeugter Header problem.h</translation>
    </message>
    <message>
        <source>Problem pack not found</source>
        <translation>Problempaket nicht gefunden</translation>
    </message>
    <message>
        <source>The problem pack of this campaign cannot be loaded. Restore its folder, or set GKS_RESOURCES to the resources folder.</source>
        <translation>Das Problempaket dieser Kampagne kann nicht geladen werden. Stellen Sie seinen Ordner wieder her oder setzen Sie GKS_RESOURCES auf den Ressourcenordner.</translation>
    </message>
    <message>
        <source>Tolerance for every element: |output - expected| &lt;= **%1** + **%2** · |expected|.</source>
        <translation>Toleranz für jedes Element: |Ausgabe - erwartet| &lt;= **%1** + **%2** · |erwartet|.</translation>
    </message>
    <message>
        <source>

| Tensor | Type | Role |
|---|---|---|
</source>
        <translation>

| Tensor | Typ | Rolle |
|---|---|---|
</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>**Judged by the user&apos;s harness.** Its commands draw the inputs, hold what is right and have the clock; what keeps our own verdicts honest is not there. The kernel is one file, `%1`.</source>
        <translation>**Beurteilt von der Testumgebung des Benutzers.** Ihre Befehle ziehen die Eingaben, wissen, was richtig ist, und haben die Uhr; was unsere eigenen Urteile ehrlich hält, gibt es dort nicht. Der Kernel ist eine Datei, `%1`.</translation>
    </message>
    <message>
        <source>

| Command | Words |
|---|---|
</source>
        <translation>

| Befehl | Wörter |
|---|---|
</translation>
    </message>
    <message>
        <source>build</source>
        <translation>build</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>verify</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>measure</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Folder of the pack: `%1`. Each command may take %2 s.</source>
        <translation>Ordner des Pakets: `%1`. Jeder Befehl darf %2 s dauern.</translation>
    </message>
</context>
<context>
    <name>gks::PromptPanel</name>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Prompt text</source>
        <translation>Prompt-Text</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save prompt</source>
        <translation>Prompt speichern</translation>
    </message>
    <message>
        <source>Reset to &amp;default</source>
        <translation>Auf Stan&amp;dard zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the prompt to its default</source>
        <translation>Den Prompt auf seinen Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Preview of the next call</source>
        <translation>Vorschau des nächsten Aufrufs</translation>
    </message>
    <message>
        <source>Edited prompt: %1</source>
        <translation>Bearbeiteter Prompt: %1</translation>
    </message>
    <message>
        <source>Save; the next call uses it (Ctrl+S)</source>
        <translation>Speichern; der nächste Aufruf verwendet ihn (Strg+S)</translation>
    </message>
    <message>
        <source>Restore the default prompt. Undo works until you save.</source>
        <translation>Standard-Prompt wiederherstellen. Rückgängig geht, bis Sie speichern.</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experiment</translation>
    </message>
    <message>
        <source>Save &amp;prompt</source>
        <translation>&amp;Prompt speichern</translation>
    </message>
    <message>
        <source>Reset prompt to default</source>
        <translation>Prompt auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Last valid preview</source>
        <translation>Letzte gültige Vorschau</translation>
    </message>
    <message>
        <source>Preview of the next call: about %1 tokens</source>
        <translation>Vorschau des nächsten Aufrufs: etwa %1 Token</translation>
    </message>
    <message>
        <source>Edited, not saved</source>
        <translation>Bearbeitet, nicht gespeichert</translation>
    </message>
    <message>
        <source>Edited by you</source>
        <translation>Von Ihnen bearbeitet</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>problem pack not found</source>
        <translation>Problempaket nicht gefunden</translation>
    </message>
    <message>
        <source>Restore the problem pack to get a preview</source>
        <translation>Problempaket wiederherstellen, um eine Vorschau zu erhalten</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>Sonde</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Korrektur</translation>
    </message>
</context>
<context>
    <name>gks::RecentMenu</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>No campaign was opened yet</source>
        <translation>Noch keine Kampagne geöffnet</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>%1 is not there any more</source>
        <translation>%1 ist nicht mehr vorhanden</translation>
    </message>
</context>
<context>
    <name>gks::RooflineModel</name>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>Time alone</source>
        <translation>Zeit allein</translation>
    </message>
    <message>
        <source>Floor / time</source>
        <translation>Untergr. / Zeit</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
</context>
<context>
    <name>gks::RooflinePanel</name>
    <message>
        <source>Chart: kernels under the roofs of the device</source>
        <translation>Diagramm: Kernel unter den Dächern des Geräts</translation>
    </message>
    <message>
        <source>What limits the kernel, by shape</source>
        <translation>Was den Kernel begrenzt, nach Shape</translation>
    </message>
    <message>
        <source>Click a shape for its samples</source>
        <translation>Shape anklicken, um ihre Messwerte zu sehen</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Kernel %1 was not measured: select one that was.</source>
        <translation>Kernel %1 wurde nicht gemessen: einen gemessenen auswählen.</translation>
    </message>
    <message>
        <source>Select a kernel that was measured: its distance from the floor and what binds it are shown shape by shape.</source>
        <translation>Gemessenen Kernel auswählen: Sein Abstand zur Untergrenze und was ihn begrenzt, erscheinen je Shape.</translation>
    </message>
    <message>
        <source> Measured on another device: %1.</source>
        <translation> Auf einem anderen Gerät gemessen: %1.</translation>
    </message>
    <message>
        <source>A command pack does not say how much work its problem is: there is no floor.</source>
        <translation>Ein Befehlspaket sagt nicht, wie viel Arbeit sein Problem ist: Es gibt keine Untergrenze.</translation>
    </message>
</context>
<context>
    <name>gks::RooflinePlot</name>
    <message>
        <source>%1 types</source>
        <translation>%1 Typen</translation>
    </message>
    <message>
        <source>FLOP for each byte, by the problem&apos;s cost model</source>
        <translation>FLOP pro Byte, nach dem Kostenmodell des Problems</translation>
    </message>
    <message>
        <source>memory %1 GB/s</source>
        <translation>Speicher %1 GB/s</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
</context>
<context>
    <name>gks::RoundView</name>
    <message>
        <source>What limits the parent</source>
        <translation>Was den Elternkernel begrenzt</translation>
    </message>
    <message>
        <source>The model said nothing of limits</source>
        <translation>Das Modell sagte nichts zu Grenzen</translation>
    </message>
    <message>
        <source>Round %1 on %2</source>
        <translation>Runde %1 auf %2</translation>
    </message>
    <message>
        <source>Approaches of the round</source>
        <translation>Ansätze der Runde</translation>
    </message>
    <message>
        <source>Re&amp;quest this approach</source>
        <translation>Ansatz an&amp;fordern</translation>
    </message>
    <message>
        <source>Request this approach</source>
        <translation>Ansatz anfordern</translation>
    </message>
    <message>
        <source>The next design must include an experiment that takes it up</source>
        <translation>Der nächste Entwurf muss ein Experiment enthalten, das ihn aufgreift</translation>
    </message>
    <message>
        <source>&amp;Withdraw request</source>
        <translation>Nicht mehr an&amp;fordern</translation>
    </message>
</context>
<context>
    <name>gks::RunBar</name>
    <message>
        <source>Check code before it runs</source>
        <translation>Code vor der Ausführung prüfen</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Automatic: run the picked experiments. Approve: wait for your approval of each experiment. Step: pause after every round.</source>
        <translation>Automatisch: die ausgewählten Experimente ausführen. Freigeben: bei jedem Experiment auf Ihre Freigabe warten. Schritt: nach jeder Runde pausieren.</translation>
    </message>
    <message>
        <source>A draft of a model waits until you approve its code</source>
        <translation>Der Entwurf eines Modells wartet, bis Sie seinen Code freigeben</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>Run until a budget is reached</source>
        <translation>Laufen lassen, bis ein Budget erreicht ist</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Finish the running evaluation, then pause</source>
        <translation>Laufende Auswertung beenden, dann pausieren</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>S&amp;chritt</translation>
    </message>
    <message>
        <source>Run one round, then pause</source>
        <translation>Eine Runde ausführen, dann pausieren</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>St&amp;opp</translation>
    </message>
    <message>
        <source>Stop at once; unfinished work starts over with the next run</source>
        <translation>Sofort stoppen; Unfertiges beginnt mit dem nächsten Lauf von vorn</translation>
    </message>
    <message>
        <source>&amp;Cancel current work</source>
        <translation>&amp;Aktuelle Arbeit abbrechen</translation>
    </message>
    <message>
        <source>Cancel the running evaluation or model call and pause</source>
        <translation>Laufende Auswertung oder laufenden Modellaufruf abbrechen und pausieren</translation>
    </message>
    <message>
        <source>Campaign s&amp;ettings...</source>
        <translation>Kampagnen&amp;einstellungen...</translation>
    </message>
    <message>
        <source>Models, policies, hint and budgets; changes apply from the next step</source>
        <translation>Modelle, Richtlinien, Hinweis und Budgets; Änderungen gelten ab dem nächsten Schritt</translation>
    </message>
    <message>
        <source>Hint in the campaign settings</source>
        <translation>Hinweis in den Kampagneneinstellungen</translation>
    </message>
    <message>
        <source>The hint stands in the campaign settings</source>
        <translation>Der Hinweis steht in den Kampagneneinstellungen</translation>
    </message>
    <message>
        <source>Evaluation budget</source>
        <translation>Auswertungsbudget</translation>
    </message>
    <message>
        <source>Maximum number of evaluations (0 = unlimited)</source>
        <translation>Höchstzahl der Auswertungen (0 = unbegrenzt)</translation>
    </message>
    <message>
        <source>Cost budget in US dollars</source>
        <translation>Kostenbudget in US-Dollar</translation>
    </message>
    <message>
        <source>Maximum cost of model calls (0 = unlimited)</source>
        <translation>Höchstkosten der Modellaufrufe (0 = unbegrenzt)</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>schreibgeschützt</translation>
    </message>
    <message>
        <source>Check co&amp;de</source>
        <translation>Co&amp;de prüfen</translation>
    </message>
</context>
<context>
    <name>gks::RunNotice</name>
    <message>
        <source>A run has ended</source>
        <translation>Ein Lauf ist beendet</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>gks::RunningList</name>
    <message>
        <source>Running</source>
        <translation>Laufend</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Back into a tab of this window</source>
        <translation>Zurück in einen Tab dieses Fensters</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Zusehen</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>%1 beobachten</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Take over %1</source>
        <translation>%1 übernehmen</translation>
    </message>
    <message>
        <source>Stop the run and open the campaign here</source>
        <translation>Lauf stoppen und die Kampagne hier öffnen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>%1 stoppen</translation>
    </message>
    <message>
        <source>End the run. Everything finished is kept</source>
        <translation>Lauf beenden. Alles Fertige bleibt erhalten</translation>
    </message>
    <message>
        <source>Follow the run and steer it from here</source>
        <translation>Den Lauf verfolgen und von hier aus steuern</translation>
    </message>
</context>
<context>
    <name>gks::SampleBar</name>
    <message>
        <source>Sample, read-only: what a model did with the paper&apos;s fp8 GEMM on an NVIDIA H200. Look around; nothing runs.</source>
        <translation>Beispiel, schreibgeschützt: was ein Modell auf einer NVIDIA H200 aus dem fp8-GEMM des Papers gemacht hat. Sehen Sie sich um; nichts läuft.</translation>
    </message>
    <message>
        <source>&amp;Try it here: fp8-gemm on this CPU</source>
        <translation>&amp;Hier ausprobieren: fp8-gemm auf dieser CPU</translation>
    </message>
    <message>
        <source>Try it here: fp8-gemm on this CPU</source>
        <translation>Hier ausprobieren: fp8-gemm auf dieser CPU</translation>
    </message>
    <message>
        <source>Makes a campaign of the same problem and runs it on this machine&apos;s CPU with the tuner: no GPU, no model, no network</source>
        <translation>Legt eine Kampagne zum selben Problem an und lässt sie mit dem Tuner auf der CPU dieser Maschine laufen: ohne GPU, Modell und Netz</translation>
    </message>
    <message>
        <source>New campai&amp;gn...</source>
        <translation>Neue Kampa&amp;gne...</translation>
    </message>
    <message>
        <source>New campaign</source>
        <translation>Neue Kampagne</translation>
    </message>
</context>
<context>
    <name>gks::SampleStrip</name>
    <message>
        <source>Live samples</source>
        <translation>Live-Messwerte</translation>
    </message>
    <message>
        <source>Samples appear here while a kernel is measured</source>
        <translation>Messwerte erscheinen hier, während ein Kernel gemessen wird</translation>
    </message>
    <message>
        <source>%1 samples, median %2</source>
        <translation>%1 Messwerte, Median %2</translation>
    </message>
</context>
<context>
    <name>gks::SeedList</name>
    <message>
        <source>Kernels to begin with</source>
        <translation>Kernel für den Anfang</translation>
    </message>
    <message>
        <source>Add &amp;kernels...</source>
        <translation>&amp;Kernel hinzufügen...</translation>
    </message>
    <message>
        <source>Add kernels of your own</source>
        <translation>Eigene Kernel hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>Entfe&amp;rnen</translation>
    </message>
    <message>
        <source>Remove the selected kernel</source>
        <translation>Ausgewählten Kernel entfernen</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>HIP sources of your own, several at once; they are read when the campaign is made</source>
        <translation>Eigene HIP-Quelltexte, mehrere auf einmal; sie werden beim Anlegen der Kampagne gelesen</translation>
    </message>
    <message>
        <source>The kernel that speedups refer to</source>
        <translation>Der Kernel, auf den sich Speedups beziehen</translation>
    </message>
    <message>
        <source>Base&amp;line</source>
        <translation>Base&amp;line</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1   your own, %2</source>
        <translation>%1   eigener, %2</translation>
    </message>
</context>
<context>
    <name>gks::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>Wie System</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>&amp;Compile while typing</source>
        <translation>Beim Tippen &amp;kompilieren</translation>
    </message>
    <message>
        <source>Compile while typing</source>
        <translation>Beim Tippen kompilieren</translation>
    </message>
    <message>
        <source>Errors, registers, LDS and waves of the kernel that you edit, in the sandbox</source>
        <translation>Fehler, Register, LDS und Waves des bearbeiteten Kernels, in der Sandbox</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>Editor</translation>
    </message>
    <message>
        <source>Tell me when a &amp;run ends while I look elsewhere</source>
        <translation>Melden, wenn ein &amp;Lauf endet, während ich woanders bin</translation>
    </message>
    <message>
        <source>Tell me when a run ends</source>
        <translation>Melden, wenn ein Lauf endet</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shortcut for %1</source>
        <translation>Tastenkürzel für %1</translation>
    </message>
    <message>
        <source>Shortcut used twice: %1</source>
        <translation>Tastenkürzel doppelt belegt: %1</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Takes effect at the next start</source>
        <translation>Wirkt ab dem nächsten Start</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
</context>
<context>
    <name>gks::ShapeWeightsForm</name>
    <message>
        <source>Weight of the shape %1</source>
        <translation>Gewicht der Shape %1</translation>
    </message>
    <message>
        <source>No kernels were compared on a shape yet: weights can be set when the seeds are measured.</source>
        <translation>Noch wurden keine Kernel auf einer Shape verglichen: Gewichte lassen sich setzen, sobald die Startkernel gemessen sind.</translation>
    </message>
    <message>
        <source>Kernels are ranked by the weighted geometric mean over these shapes. A shape with the weight 0 is still verified and measured. Verdicts against the parent count every shape once.</source>
        <translation>Kernel werden nach dem gewichteten geometrischen Mittel über diese Shapes gereiht. Eine Shape mit dem Gewicht 0 wird trotzdem geprüft und gemessen. Urteile gegen den Elternkernel zählen jede Shape einmal.</translation>
    </message>
    <message>
        <source>Every shape has the weight 0: give one of them more</source>
        <translation>Jede Shape hat das Gewicht 0: geben Sie einer davon mehr</translation>
    </message>
</context>
<context>
    <name>gks::SpendModel</name>
    <message>
        <source>%1, %2 failed</source>
        <translation>%1, %2 fehlgeschlagen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>Token ein</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>Token aus</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>gks::SpendPanel</name>
    <message>
        <source>Group calls by</source>
        <translation>Aufrufe gruppieren nach</translation>
    </message>
    <message>
        <source>Chart value</source>
        <translation>Diagrammwert</translation>
    </message>
    <message>
        <source>Model calls</source>
        <translation>Modellaufrufe</translation>
    </message>
    <message>
        <source>Spend so far</source>
        <translation>Bisherige Kosten</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Chart: spend so far</source>
        <translation>Diagramm: bisherige Kosten</translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>Device time</source>
        <translation>Gerätezeit</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Budget used: %1</source>
        <translation>Budget verbraucht: %1</translation>
    </message>
    <message>
        <source>By stage</source>
        <translation>Nach Stufe</translation>
    </message>
    <message>
        <source>By model</source>
        <translation>Nach Modell</translation>
    </message>
    <message>
        <source>By experiment</source>
        <translation>Nach Experiment</translation>
    </message>
    <message>
        <source>Single calls</source>
        <translation>Einzelne Aufrufe</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>The tuner makes no model calls. It uses evaluations and device time only.</source>
        <translation>Der Tuner macht keine Modellaufrufe. Er verbraucht nur Auswertungen und Gerätezeit.</translation>
    </message>
    <message>
        <source>Press Run. Every model call is listed here with its tokens and cost.</source>
        <translation>Start drücken. Jeder Modellaufruf erscheint hier mit Token und Kosten.</translation>
    </message>
</context>
<context>
    <name>gks::StageModels</name>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Name of a further writer</source>
        <translation>Name eines weiteren Writers</translation>
    </message>
    <message>
        <source>Add &amp;writer</source>
        <translation>&amp;Writer hinzufügen</translation>
    </message>
    <message>
        <source>Add a further writer</source>
        <translation>Einen weiteren Writer hinzufügen</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Remove the further writer</source>
        <translation>Den weiteren Writer entfernen</translation>
    </message>
    <message>
        <source>Use a separate model for this stage</source>
        <translation>Eigenes Modell für diese Stufe verwenden</translation>
    </message>
    <message>
        <source>deep</source>
        <translation>deep</translation>
    </message>
    <message>
        <source>Small letters, digits and hyphens</source>
        <translation>Kleinbuchstaben, Ziffern und Bindestriche</translation>
    </message>
    <message>
        <source>Use a separate m&amp;odel: %1</source>
        <translation>Eigenes M&amp;odell verwenden: %1</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
</context>
<context>
    <name>gks::StageStrip</name>
    <message>
        <source>Idle</source>
        <translation>Untätig</translation>
    </message>
    <message>
        <source>Running: %1</source>
        <translation>Läuft: %1</translation>
    </message>
</context>
<context>
    <name>gks::StartPage</name>
    <message>
        <source>Recent campaigns</source>
        <translation>Letzte Kampagnen</translation>
    </message>
    <message>
        <source>GPU Kernel Scientist</source>
        <translation>GPU Kernel Scientist</translation>
    </message>
    <message>
        <source>A tuner or a language model proposes kernels, the judge builds, verifies and measures them, you steer. Every speedup comes with its evidence.</source>
        <translation>Ein Tuner oder ein Sprachmodell schlägt Kernel vor, der Prüfer baut, prüft und misst sie, Sie steuern. Zu jedem Speedup gibt es den Nachweis.</translation>
    </message>
    <message>
        <source>&amp;New campaign...</source>
        <translation>&amp;Neue Kampagne...</translation>
    </message>
    <message>
        <source>&amp;Open campaign...</source>
        <translation>Kampagne ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>&amp;Try it here</source>
        <translation>&amp;Hier ausprobieren</translation>
    </message>
    <message>
        <source>The tuner speeds up fp8-gemm on this CPU. No GPU, model or network needed.</source>
        <translation>Der Tuner beschleunigt fp8-gemm auf dieser CPU. Ohne GPU, Modell oder Netz.</translation>
    </message>
    <message>
        <source>&amp;Sample</source>
        <translation>&amp;Beispiel</translation>
    </message>
    <message>
        <source>A campaign of a model on an NVIDIA H200, read-only</source>
        <translation>Eine Kampagne eines Modells auf einer NVIDIA H200, schreibgeschützt</translation>
    </message>
    <message>
        <source>Press Run to start, or Step to run one round.
Select a kernel and press P to pin it as the next parent.
Press Ctrl+Shift+P to find any command.</source>
        <translation>Start beginnt den Lauf, Schritt führt eine Runde aus.
Wählen Sie einen Kernel und drücken Sie P, um ihn als nächsten Elternkernel anzuheften.
Mit Strg+Umschalt+P finden Sie jeden Befehl.</translation>
    </message>
    <message>
        <source>D&amp;ismiss</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Do not show these hints again</source>
        <translation>Diese Hinweise nicht mehr zeigen</translation>
    </message>
</context>
<context>
    <name>gks::StatusStrip</name>
    <message>
        <source>Show &amp;warnings</source>
        <translation>&amp;Warnungen zeigen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Sandbox: %1</source>
        <translation>Sandbox: %1</translation>
    </message>
    <message>
        <source>Devices: not started</source>
        <translation>Geräte: nicht gestartet</translation>
    </message>
    <message>
        <source>Devices: %1</source>
        <translation>Geräte: %1</translation>
    </message>
    <message>
        <source>best %1: %2</source>
        <translation>bester %1: %2</translation>
    </message>
    <message>
        <source>Confirmed: measured once more beside the baseline after it had become the best, at the end of a run</source>
        <translation>Bestätigt: am Ende eines Laufs noch einmal neben der Baseline gemessen, nachdem er der beste geworden war</translation>
    </message>
    <message>
        <source>No warnings</source>
        <translation>Keine Warnungen</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
</context>
<context>
    <name>gks::SubmittedKernel</name>
    <message>
        <source>Where your kernel went</source>
        <translation>Wo Ihr Kernel gelandet ist</translation>
    </message>
    <message>
        <source>Your kernel is %1: %2</source>
        <translation>Ihr Kernel ist %1: %2</translation>
    </message>
    <message>
        <source>show it</source>
        <translation>zeigen</translation>
    </message>
</context>
<context>
    <name>gks::TableFilters</name>
    <message>
        <source>State of the kernels in the table</source>
        <translation>Zustand der Kernel in der Tabelle</translation>
    </message>
    <message>
        <source>Who made the kernels in the table</source>
        <translation>Wer die Kernel in der Tabelle gemacht hat</translation>
    </message>
    <message>
        <source>Shape that has a column</source>
        <translation>Shape, die eine Spalte hat</translation>
    </message>
    <message>
        <source>Kernels in the table</source>
        <translation>Kernel in der Tabelle</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>Alle Zustände</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not evaluated</source>
        <translation>Nicht ausgewertet</translation>
    </message>
    <message>
        <source>Banned</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>All authors</source>
        <translation>Alle Autoren</translation>
    </message>
    <message>
        <source>No shape</source>
        <translation>Keine Shape</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>gks::TimingPlot</name>
    <message>
        <source>&amp;Reset zoom</source>
        <translation>&amp;Zoom zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Logarithmic axis</source>
        <translation>&amp;Logarithmische Achse</translation>
    </message>
</context>
<context>
    <name>gks::TrustDialog</name>
    <message>
        <source>Prompts and the API key go to this server.</source>
        <translation>Prompts und der API-Key gehen an diesen Server.</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Variable of the key</source>
        <translation>Variable des Keys</translation>
    </message>
    <message>
        <source>This command is run with your rights, outside the sandbox. It gets the prompts on its standard input.</source>
        <translation>Dieser Befehl läuft mit Ihren Rechten, außerhalb der Sandbox. Er erhält die Prompts auf der Standardeingabe.</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Prompts are written into this folder, and replies are read from it.</source>
        <translation>Prompts werden in diesen Ordner geschrieben, Antworten daraus gelesen.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>The reference implementation of this problem pack is compiled and run, in the sandbox. It decides what is right.</source>
        <translation>Die Referenzimplementierung dieses Problempakets wird in der Sandbox kompiliert und ausgeführt. Sie entscheidet, was richtig ist.</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Trust this campaign?</source>
        <translation>Dieser Kampagne vertrauen?</translation>
    </message>
    <message>
        <source>%1 names the following. Nothing is sent or run before you trust it.</source>
        <translation>%1 nennt Folgendes. Nichts wird gesendet oder ausgeführt, bevor Sie vertrauen.</translation>
    </message>
    <message>
        <source>&amp;Trust</source>
        <translation>&amp;Vertrauen</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Vertrauen</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Nicht jetzt</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>The commands of this pack build, verify and measure kernels, in the sandbox. They decide what is right and what is fast.</source>
        <translation>Die Befehle dieses Pakets bauen, prüfen und messen Kernel, in der Sandbox. Sie entscheiden, was richtig und was schnell ist.</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
</context>
<context>
    <name>gks::UnsavedKeeper</name>
    <message>
        <source>unsaved text is not kept: </source>
        <translation>ungespeicherter Text bleibt nicht erhalten: </translation>
    </message>
    <message>
        <source>Save what you type before you close the window</source>
        <translation>Speichern Sie Ihren Text, bevor Sie das Fenster schließen</translation>
    </message>
</context>
<context>
    <name>gks::UnsavedText</name>
    <message>
        <source>Unsaved text from last time was restored</source>
        <translation>Ungespeicherter Text vom letzten Mal wurde wiederhergestellt</translation>
    </message>
    <message>
        <source>Unsaved text from last time: %1</source>
        <translation>Ungespeicherter Text vom letzten Mal: %1</translation>
    </message>
</context>
<context>
    <name>gks::WatchBar</name>
    <message>
        <source>Read-only</source>
        <translation>Schreibgeschützt</translation>
    </message>
    <message>
        <source>Take &amp;over</source>
        <translation>Ü&amp;bernehmen</translation>
    </message>
    <message>
        <source>Take the campaign over</source>
        <translation>Kampagne übernehmen</translation>
    </message>
    <message>
        <source>Read-only. The run has ended. Take over to go on with it here.</source>
        <translation>Schreibgeschützt. Der Lauf ist beendet. Übernehmen, um hier weiterzumachen.</translation>
    </message>
    <message>
        <source>Open the campaign for writing</source>
        <translation>Kampagne zum Schreiben öffnen</translation>
    </message>
    <message>
        <source>Stop the run and open the campaign here</source>
        <translation>Lauf stoppen und die Kampagne hier öffnen</translation>
    </message>
    <message>
        <source>Read-only. Watching: another user&apos;s program or another machine.</source>
        <translation>Schreibgeschützt. Beobachtet wird: das Programm eines anderen Benutzers oder eine andere Maschine.</translation>
    </message>
    <message>
        <source>%1, %2, %3, for %4</source>
        <translation>%1, %2, %3, seit %4</translation>
    </message>
    <message>
        <source>Read-only. Watching: %1.</source>
        <translation>Schreibgeschützt. Beobachtet wird: %1.</translation>
    </message>
    <message>
        <source>Run elsewhere: %1. What you decide here is carried out there.</source>
        <translation>Läuft anderswo: %1. Was Sie hier entscheiden, wird dort ausgeführt.</translation>
    </message>
    <message>
        <source>%1. Read-only, as it was last seen. %2</source>
        <translation>%1. Schreibgeschützt, wie zuletzt gesehen. %2</translation>
    </message>
    <message>
        <source>%1. What you decide here is carried out there.</source>
        <translation>%1. Was Sie hier entscheiden, wird dort ausgeführt.</translation>
    </message>
</context>
<context>
    <name>gks::WritersModel</name>
    <message>
        <source>own: the model of the stage Writer. The others are further writers</source>
        <translation>own: das Modell der Stufe Writer. Die anderen sind weitere Writer</translation>
    </message>
    <message>
        <source>The model that answers in its name</source>
        <translation>Das Modell, das in seinem Namen antwortet</translation>
    </message>
    <message>
        <source>Experiments that it has drafted</source>
        <translation>Experimente, die er entworfen hat</translation>
    </message>
    <message>
        <source>Kernels that passed the judge, of all drafts, repairs too</source>
        <translation>Kernel, die das Urteil bestanden haben, von allen Entwürfen, auch Reparaturen</translation>
    </message>
    <message>
        <source>The highest gain of its kernels over their parents, time before / time after</source>
        <translation>Der höchste Gewinn seiner Kernel über ihre Elternkernel, Zeit vorher / Zeit nachher</translation>
    </message>
    <message>
        <source>By how much its kernels together made the fastest of all faster</source>
        <translation>Um wie viel seine Kernel zusammen den schnellsten von allen schneller gemacht haben</translation>
    </message>
    <message>
        <source>Time that its drafts took</source>
        <translation>Zeit, die seine Entwürfe brauchten</translation>
    </message>
    <message>
        <source>Cost of its drafts</source>
        <translation>Kosten seiner Entwürfe</translation>
    </message>
    <message>
        <source>Share of all drafts</source>
        <translation>Anteil an allen Entwürfen</translation>
    </message>
    <message>
        <source>By how much the fastest kernel becomes faster for the cost of an ordinary draft; newer drafts weigh more</source>
        <translation>Um wie viel der schnellste Kernel für die Kosten eines gewöhnlichen Entwurfs schneller wird; neuere Entwürfe zählen mehr</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Writer</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Brought</source>
        <translation>Gebracht</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Per cost</source>
        <translation>Pro Kosten</translation>
    </message>
    <message>
        <source>Exp.</source>
        <translation>Exp.</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>Bestanden</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Not kept by the version that these drafts were made with; new drafts have their times</source>
        <translation>Von der Version, mit der diese Entwürfe entstanden, nicht festgehalten; neue Entwürfe haben ihre Zeiten</translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>rewrite</source>
        <translation>Neufassung</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>Zusammenführung</translation>
    </message>
    <message>
        <source>dispatch</source>
        <translation>Dispatch</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Sondierung</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation>Benchmark</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>Matrix</translation>
    </message>
    <message>
        <source>global memory</source>
        <translation>globaler Speicher</translation>
    </message>
    <message>
        <source>scalar memory</source>
        <translation>skalarer Speicher</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>Sprung</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>Instruktionen</translation>
    </message>
    <message>
        <source>launch plan</source>
        <translation>Launch-Plan</translation>
    </message>
    <message>
        <source>geometric mean</source>
        <translation>geometrisches Mittel</translation>
    </message>
    <message>
        <source>weighted geometric mean</source>
        <translation>gewichtetes geometrisches Mittel</translation>
    </message>
    <message>
        <source>static report</source>
        <translation>statischer Report</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>spills</source>
        <translation>Spills</translation>
    </message>
    <message>
        <source>stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>static shared memory</source>
        <translation>statischer Shared Memory</translation>
    </message>
    <message>
        <source>barriers</source>
        <translation>Barrieren</translation>
    </message>
    <message>
        <source>scratch</source>
        <translation>Scratch</translation>
    </message>
    <message>
        <source>occupancy</source>
        <translation>Occupancy</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>not evaluated yet</source>
        <translation>noch nicht ausgewertet</translation>
    </message>
    <message>
        <source>not measured on this shape</source>
        <translation>auf dieser Shape nicht gemessen</translation>
    </message>
    <message>
        <source>no plan for this shape</source>
        <translation>kein Plan für diese Shape</translation>
    </message>
    <message>
        <source>without a launch plan</source>
        <translation>ohne Launch-Plan</translation>
    </message>
    <message>
        <source>CPU timings.</source>
        <translation>CPU-Zeiten.</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Launch</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>Füllen</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>user</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Erkenntnis</translation>
    </message>
    <message>
        <source>section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>digest</source>
        <translation>Digest</translation>
    </message>
    <message>
        <source>passage</source>
        <translation>Passage</translation>
    </message>
    <message>
        <source>OpenAI-compatible (OpenAI, vLLM, Ollama, ...)</source>
        <translation>OpenAI-kompatibel (OpenAI, vLLM, Ollama, ...)</translation>
    </message>
    <message>
        <source>Manual (copy the prompt, paste the reply)</source>
        <translation>Manuell (Prompt kopieren, Antwort einfügen)</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>start</source>
        <translation>starten</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>pausieren</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>stoppen</translation>
    </message>
    <message>
        <source>cancel current</source>
        <translation>Aktuelles abbrechen</translation>
    </message>
    <message>
        <source>pin parent</source>
        <translation>Elternkernel anheften</translation>
    </message>
    <message>
        <source>unpin parent</source>
        <translation>Elternkernel lösen</translation>
    </message>
    <message>
        <source>select parent</source>
        <translation>Elternkernel auswählen</translation>
    </message>
    <message>
        <source>ban</source>
        <translation>sperren</translation>
    </message>
    <message>
        <source>unban</source>
        <translation>entsperren</translation>
    </message>
    <message>
        <source>evaluate again</source>
        <translation>erneut auswerten</translation>
    </message>
    <message>
        <source>measure side by side</source>
        <translation>nebeneinander messen</translation>
    </message>
    <message>
        <source>take back side by side</source>
        <translation>Nebeneinander zurücknehmen</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>nebeneinander</translation>
    </message>
    <message>
        <source>re-enable device</source>
        <translation>Gerät wieder aktivieren</translation>
    </message>
    <message>
        <source>disable device</source>
        <translation>Gerät deaktivieren</translation>
    </message>
    <message>
        <source>add kernel</source>
        <translation>Kernel hinzufügen</translation>
    </message>
    <message>
        <source>approve code</source>
        <translation>Code freigeben</translation>
    </message>
    <message>
        <source>reject code</source>
        <translation>Code ablehnen</translation>
    </message>
    <message>
        <source>send code back</source>
        <translation>Code zurückschicken</translation>
    </message>
    <message>
        <source>edit code</source>
        <translation>Code bearbeiten</translation>
    </message>
    <message>
        <source>approve experiment</source>
        <translation>Experiment freigeben</translation>
    </message>
    <message>
        <source>reject experiment</source>
        <translation>Experiment ablehnen</translation>
    </message>
    <message>
        <source>edit experiment</source>
        <translation>Experiment bearbeiten</translation>
    </message>
    <message>
        <source>restore experiment</source>
        <translation>Experiment wiederherstellen</translation>
    </message>
    <message>
        <source>add experiment</source>
        <translation>Experiment hinzufügen</translation>
    </message>
    <message>
        <source>reorder experiments</source>
        <translation>Experimente umordnen</translation>
    </message>
    <message>
        <source>retire experiment</source>
        <translation>Experiment zurückziehen</translation>
    </message>
    <message>
        <source>set mode</source>
        <translation>Modus setzen</translation>
    </message>
    <message>
        <source>set budgets</source>
        <translation>Budgets setzen</translation>
    </message>
    <message>
        <source>set scientist</source>
        <translation>Scientist setzen</translation>
    </message>
    <message>
        <source>set hint</source>
        <translation>Hinweis setzen</translation>
    </message>
    <message>
        <source>set shape weights</source>
        <translation>Shape-Gewichte setzen</translation>
    </message>
    <message>
        <source>set policies</source>
        <translation>Richtlinien setzen</translation>
    </message>
    <message>
        <source>edit prompt</source>
        <translation>Prompt bearbeiten</translation>
    </message>
    <message>
        <source>reset prompt</source>
        <translation>Prompt zurücksetzen</translation>
    </message>
    <message>
        <source>add finding</source>
        <translation>Erkenntnis hinzufügen</translation>
    </message>
    <message>
        <source>edit finding</source>
        <translation>Erkenntnis bearbeiten</translation>
    </message>
    <message>
        <source>dismiss finding</source>
        <translation>Erkenntnis verwerfen</translation>
    </message>
    <message>
        <source>restore finding</source>
        <translation>Erkenntnis wiederherstellen</translation>
    </message>
    <message>
        <source>add document</source>
        <translation>Dokument hinzufügen</translation>
    </message>
    <message>
        <source>edit document</source>
        <translation>Dokument bearbeiten</translation>
    </message>
    <message>
        <source>digest document</source>
        <translation>Digest zum Dokument erstellen</translation>
    </message>
    <message>
        <source>enable document</source>
        <translation>Dokument aktivieren</translation>
    </message>
    <message>
        <source>disable document</source>
        <translation>Dokument deaktivieren</translation>
    </message>
    <message>
        <source>remove document</source>
        <translation>Dokument entfernen</translation>
    </message>
    <message>
        <source>fork campaign</source>
        <translation>Kampagne abzweigen</translation>
    </message>
    <message>
        <source>open the notebook</source>
        <translation>Notizbuch öffnen</translation>
    </message>
    <message>
        <source>tune new kernel</source>
        <translation>neuen Kernel tunen</translation>
    </message>
    <message>
        <source>compare tuned kernels</source>
        <translation>getunte Kernel vergleichen</translation>
    </message>
    <message>
        <source>free writer</source>
        <translation>freier Writer</translation>
    </message>
    <message>
        <source>near-duplicate</source>
        <translation>Beinahe-Duplikat</translation>
    </message>
    <message>
        <source>drop draft</source>
        <translation>Entwurf fallen lassen</translation>
    </message>
    <message>
        <source>Command: a program on this machine answers</source>
        <translation>Befehl: ein Programm auf dieser Maschine antwortet</translation>
    </message>
    <message>
        <source>Folder: requests and replies are files</source>
        <translation>Ordner: Anfragen und Antworten sind Dateien</translation>
    </message>
    <message>
        <source>you</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>held-out</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>held-out, drawn</source>
        <translation>zurückgehalten, gezogen</translation>
    </message>
    <message>
        <source>before measuring</source>
        <translation>vor der Messung</translation>
    </message>
    <message>
        <source>timed call</source>
        <translation>gemessener Aufruf</translation>
    </message>
    <message>
        <source>every timed call</source>
        <translation>jeder gemessene Aufruf</translation>
    </message>
    <message>
        <source>as declared</source>
        <translation>wie angegeben</translation>
    </message>
    <message>
        <source>wide range</source>
        <translation>weiter Bereich</translation>
    </message>
    <message>
        <source>structured zeros</source>
        <translation>strukturierte Nullen</translation>
    </message>
    <message>
        <source>extreme scales</source>
        <translation>extreme Größen</translation>
    </message>
    <message>
        <source>device events</source>
        <translation>Geräteereignisse</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>most innovative</source>
        <translation>neuartigstes</translation>
    </message>
    <message>
        <source>highest potential</source>
        <translation>größtes Potenzial</translation>
    </message>
    <message>
        <source>most certain</source>
        <translation>sicherstes</translation>
    </message>
    <message>
        <source>highest expected</source>
        <translation>höchste Erwartung</translation>
    </message>
    <message>
        <source>Tuner only</source>
        <translation>Nur Tuner</translation>
    </message>
    <message>
        <source>LLM loop</source>
        <translation>LLM-Schleife</translation>
    </message>
    <message>
        <source>Steer everything</source>
        <translation>Alles steuern</translation>
    </message>
    <message>
        <source>Own kernels</source>
        <translation>Eigene Kernel</translation>
    </message>
    <message>
        <source>set experiment aside</source>
        <translation>Experiment zurückgestellt</translation>
    </message>
    <message>
        <source>copy-symbol</source>
        <translation>Symbol kopieren</translation>
    </message>
    <message>
        <source>write-symbol</source>
        <translation>Symbol schreiben</translation>
    </message>
    <message>
        <source>record</source>
        <translation>Ereignis setzen</translation>
    </message>
    <message>
        <source>request approach</source>
        <translation>Ansatz anfordern</translation>
    </message>
    <message>
        <source>requested</source>
        <translation>angefordert</translation>
    </message>
    <message>
        <source>withdraw approach</source>
        <translation>Ansatz fallen lassen</translation>
    </message>
    <message>
        <source>reopen code</source>
        <translation>Code wieder vorlegen</translation>
    </message>
    <message>
        <source>the user&apos;s harness</source>
        <translation>die Testumgebung des Benutzers</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
    <message>
        <source>Judged by the user&apos;s harness.</source>
        <translation>Beurteilt von der Testumgebung des Benutzers.</translation>
    </message>
</context>
</TS>
