# SPDX-License-Identifier: GPL-3.0-or-later
"""What the judge costs and catches on a card: one call measures everything.

measure_card.py BIN OUT PART...   BIN: folder with the programs; parts: seeds faults ties cheats replays
Prints a table a part; every verdict goes to OUT/PART.json. GKS_PAUSE_SECONDS: between two seeds, while the judge prepares."""
import json, os, re, statistics, subprocess, sys, time

here = os.path.dirname(os.path.abspath(__file__))
tests = os.path.dirname(here)
root = os.environ.get("GKS_PROBLEMS", os.path.join(os.path.dirname(tests), "resources/problems"))
card = os.path.join(tests, "data/kernels/card")
affine = os.path.join(tests, "data/kernels/affine")


def read(path):
    with open(path) as file:
        return file.read()


class Evaluator:
    def __init__(self, programs):
        self.process = subprocess.Popen([os.path.join(programs, "kernel-scientist-evaluator")], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def ask(self, problem, source, **more):
        self.count += 1
        request = {"request": "evaluate", "id": str(self.count), "problem": problem, "source": source,
                   "target": "nvidia", "allow_no_sandbox": True, **more}
        began = time.monotonic()
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "verdict":
                verdict = event["verdict"]
                verdict["waited"] = time.monotonic() - began
                return verdict
        raise SystemExit("the evaluator ended")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def line(label, verdict):
    s = verdict.get("seconds", {})
    own = s.get("total", 0) - s.get("compiler", 0) - s.get("kernel", 0)
    print(f"{label:42} {verdict['verdict']:20} {verdict['waited']:6.2f} s, compiler {s.get('compiler', 0):5.2f}, kernel "
          f"{s.get('kernel', 0):5.2f}, preparation {s.get('preparation', 0):5.2f}, rest {own:5.2f}  "
          f"{(verdict.get('reason') or '')[:150]}", flush=True)
    if verdict["verdict"] in ("build-failed", "infrastructure-failed"):
        print("   ", ((verdict.get("build") or {}).get("log") or "")[:600].replace("\n", "\n    "))


def cost(verdict):
    """Mean cost of a timed call beyond the kernel, microseconds."""
    calls = busy = 0
    for measured in verdict.get("measurements", []):
        samples = measured.get("sample_us", []) + measured.get("baseline_sample_us", [])
        calls += len(samples)
        busy += sum(samples)
    seconds = verdict.get("seconds", {}).get("measure", 0)
    return (seconds * 1e6 - busy) / calls if calls else 0, calls


def parts(verdict):
    """The same by what it is for, as the judge says; microseconds."""
    own = verdict.get("call_cost_us", {})
    probed = sum(v["calls"] for v in verdict.get("verification", []) if v["phase"] == "every timed call")
    timed = sum(len(m.get("sample_us", [])) for m in verdict.get("measurements", []))
    return f"own cost of a call {sum(own.values()):.0f} us ({', '.join(f'{k} {v:.0f}' for k, v in own.items() if v)}), probed {probed} of {timed}"


def seeds(evaluator, kept):
    for problem in sorted(os.listdir(root)):
        for seed in sorted(os.listdir(os.path.join(root, problem, "seeds"))):
            source = read(os.path.join(root, problem, "seeds", seed))
            for run in ("cold", "cached", "cached"):
                time.sleep(float(os.environ.get("GKS_PAUSE_SECONDS", "0"))) # as a scientist thinks in between
                verdict = evaluator.ask(problem, source, measure_seconds=0.3)
                line(f"{problem}/{seed} {run}", verdict)
                kept.append(verdict)
                if verdict["verdict"] != "correct":
                    break
            each, calls = cost(verdict)
            times = " ".join(f"{m['median_us']:.1f}" for m in verdict.get("measurements", []))
            print(f"{'':42} {each:.0f} us a call beyond the kernel, {calls} calls; {parts(verdict)}; medians {times} us", flush=True)


def faults(evaluator, kept):
    honest = read(os.path.join(affine, "seeds/naive.hip"))
    for kernel in ("clusters", "hangs", "traps", "illegal_address", "writes_input", "reads_sources"):
        verdict = evaluator.ask(affine, read(os.path.join(card, kernel + ".hip")), timeout_seconds=5, measure_seconds=0.3)
        line(kernel, verdict)
        after = evaluator.ask(affine, honest, measure_seconds=0.3)
        line("  an honest kernel after it", after)
        kept += [verdict, after]


def steps(count):
    return f"#define STEPS {count}\n" + read(os.path.join(card, "work.hip"))


def ties(evaluator, kept):
    budget = float(os.environ.get("GKS_TIES_SECONDS", "100"))
    for label, candidate in (("A/A", 20000), ("1 % more", 20200)):
        found, waited, ratios = {}, [], []
        began = time.monotonic()
        while time.monotonic() - began < budget / 2:
            verdict = evaluator.ask(affine, steps(candidate), baseline=steps(20000), measure_seconds=2)
            kept.append(verdict)
            found[verdict["verdict"]] = found.get(verdict["verdict"], 0) + 1
            if verdict.get("comparison"):
                ratios.append(verdict["comparison"]["ratio"])
            else:
                line(label, verdict)
            waited.append(verdict["waited"])
        each, calls = cost(verdict)
        print(f"{label}: {found}, ratios {min(ratios, default=0):.4f} to {max(ratios, default=0):.4f}, "
              f"{statistics.median(waited):.2f} s each, {each:.0f} us a call beyond the kernel, {calls} calls; {parts(verdict)}", flush=True)


def cheats(evaluator, kept):
    folder = os.path.join(tests, "cheats/kernels")
    found = {}
    limit = time.monotonic() + float(os.environ.get("GKS_CHEATS_SECONDS", "150"))
    for name in sorted(os.listdir(folder)):
        if time.monotonic() > limit:
            print("no time for", name, "and those after it")
            break
        source = read(os.path.join(folder, name))
        problem = re.search(r"^// Problem: (\S+)", source, re.M)
        problem = problem.group(1) if problem else "affine"
        folder_of = os.path.join(tests, "data/kernels", problem)
        folder_of = folder_of if os.path.isdir(folder_of) else os.path.join(root, problem)
        naive = os.path.join(folder_of, "seeds/naive.hip")
        more = {"baseline": read(naive)} if os.path.exists(naive) else {}
        verdict = evaluator.ask(folder_of, source, measure_seconds=0.5, timeout_seconds=5, **more)
        kept.append(verdict)
        found[verdict["verdict"]] = found.get(verdict["verdict"], 0) + 1
        print(f"{name:40} {verdict['verdict']:20} {verdict['waited']:5.2f} s {(verdict.get('reason') or '')[:170]}", flush=True)
    print(found)


def replays(evaluator, kept):
    """Every verdict as a bundle that is replayed from its recorded plans. What is printed behind the outcome did not agree."""
    cli = os.path.join(sys.argv[1], "kernel-scientist-cli")
    pairs = [(affine, os.path.join(card, "clusters.hip"), os.path.join(affine, "seeds/naive.hip"))]
    for problem in sorted(os.listdir(root)):
        folder = os.path.join(root, problem, "seeds")
        first, second = sorted(os.listdir(folder))[:2]
        pairs.append((problem, os.path.join(folder, second), os.path.join(folder, first)))
    for number, (problem, kernel, baseline) in enumerate(pairs):
        bundle = os.path.join(sys.argv[2], f"bundle{number}")
        common = ["--target", "nvidia", "--measure-seconds", "1", "--allow-no-sandbox"]
        written = subprocess.run([cli, "evaluate", kernel, "--problem", problem, "--baseline", baseline, *common,
                                  "--evidence", bundle, "--json"], text=True, capture_output=True)
        began = time.monotonic()
        done = subprocess.run([cli, "replay", bundle, "--trust", "pack", "--allow-no-sandbox", "--json"], text=True,
                              capture_output=True)
        if not done.stdout.startswith("{"):
            print(f"{os.path.basename(kernel):30} no replay: {written.stderr[-300:]} {done.stderr[-300:]}", flush=True)
            continue
        replay = json.loads(done.stdout)
        kept.append(replay)
        again = (replay.get("again") or {}).get("verdict") or {}
        hosts = [entry["text"] for entry in again.get("transcript", [])
                 if entry["event"] == "process" and entry["text"].startswith("planner")]
        others = [f"{claim['what']}: {claim['why']}" for claim in replay["claims"] if claim["outcome"] in ("differs", "not tested")]
        print(f"{os.path.basename(os.path.normpath(problem)):20} {os.path.basename(kernel):20} {replay['outcome']:12} {again.get('verdict', '-'):12} "
              f"{time.monotonic() - began:5.1f} s, source planned again: {'yes' if hosts else 'no'}  {'; '.join(others)[:300]}", flush=True)


def main():
    programs, out, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(out, exist_ok=True)
    for part in parts:
        print(f"== {part}", flush=True)
        began, kept = time.monotonic(), []
        evaluator = Evaluator(programs)
        globals()[part](evaluator, kept)
        evaluator.close()
        with open(os.path.join(out, part + ".json"), "w") as file:
            json.dump(kept, file)
        print(f"{part}: {time.monotonic() - began:.0f} s", flush=True)


main()
