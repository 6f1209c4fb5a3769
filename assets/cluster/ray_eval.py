"""Plays a suite on a Ray cluster: one part of it a task of Ray, then one report over all parts.

    python ray_eval.py --parts 16 --out /shared/vh -- --suite vh --agent planner --jobs 2

What follows the two dashes goes to `vesta eval` as it is. The folder must be one that every machine sees under the
same name. A part whose machine or process is lost is started again; it goes on where its runs were cut, so nothing is
played twice. Starting the whole again does the same. Keys of models are read on the machine that plays: give them to
Ray's workers in their environment.

Exit code: that of `vesta report`, 2 where a part cannot be played at all.
"""

import argparse
import contextlib
import pathlib
import subprocess
import sys

import ray


class Cut(Exception):
    """A part that came to no end and can be gone on with."""


class Wrong(Exception):
    """A part that would fail again in the same way."""


def play(command):
    """Runs one part to its end; its exit code."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    last = done.stderr.strip().splitlines()[-1:] or ["nothing was said"]
    if done.returncode == 2:
        raise Wrong(f"{' '.join(command)}: {last[0]}")
    if done.returncode != 0:
        # 1: a task has no run yet. Below 0: killed by a signal.
        raise Cut(f"{' '.join(command)}: ended with {done.returncode}: {last[0]}")
    return done.returncode


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="the folder of all runs and of the report")
    parser.add_argument("--parts", type=int, default=4, help="in how many parts the suite is played")
    parser.add_argument("--cpus", type=float, default=1, help="processors Ray sets aside for a part")
    parser.add_argument("--retries", type=int, default=3, help="how often a part that was cut is started again")
    parser.add_argument("--vesta", default="vesta", help="the program, on every machine")
    parser.add_argument("--address", default=None, help="the address of a running cluster; else one is started here")
    parser.add_argument("eval", nargs=argparse.REMAINDER, metavar="-- FLAGS", help="flags of vesta eval")
    args = parser.parse_args()
    args.eval = args.eval[1:] if args.eval[:1] == ["--"] else args.eval
    if args.parts < 1:
        parser.error("--parts: write 1 or more")
    for flag in ("--out", "--shard", "--json"):
        if any(word == flag or word.startswith(flag + "=") for word in args.eval):
            parser.error(f"{flag} is set here for every part; leave it out after the two dashes")
    return args


def suite(flags):
    """The suite that is played, as the report must know it to name missing runs."""
    for at, word in enumerate(flags):
        if word == "--suite" and at + 1 < len(flags):
            return flags[at + 1]
        if word.startswith("--suite="):
            return word.split("=", 1)[1]
    return "vh"


def parts(args, folders):
    """Plays all parts; how many cannot be played at all."""
    ray.init(address=args.address, log_to_driver=False, include_dashboard=False)
    part = ray.remote(num_cpus=args.cpus, max_retries=args.retries, retry_exceptions=[Cut])(play)
    waiting = {}
    for i, folder in enumerate(folders, start=1):
        command = [args.vesta, "eval", *args.eval, "--shard", f"{i}/{args.parts}", "--out", str(folder)]
        waiting[part.remote(command)] = i
    wrong = 0
    while waiting:
        [ended], _ = ray.wait(list(waiting), num_returns=1)
        i = waiting.pop(ended)
        try:
            ray.get(ended)
            print(f"part {i} of {args.parts} is done, {len(waiting)} left", file=sys.stderr)
        except Exception as e:  # Ray wraps what the part raised; also a lost machine ends here.
            cause = getattr(e, "cause", None) or e
            print(f"part {i} of {args.parts}: {cause}", file=sys.stderr)
            wrong += isinstance(cause, Wrong)
    ray.shutdown()
    return wrong


def main():
    args = arguments()
    root = pathlib.Path(args.out).absolute()
    root.mkdir(parents=True, exist_ok=True)
    folders = [root / f"shard-{i}" for i in range(1, args.parts + 1)]
    with contextlib.redirect_stdout(sys.stderr):  # Ray talks; only the report is printed.
        wrong = parts(args, folders)
    if wrong:
        return 2
    report = [args.vesta, "report", "--suite", suite(args.eval), "--out", str(root / "report"), *map(str, folders)]
    return subprocess.run(report).returncode


if __name__ == "__main__":
    sys.exit(main())
