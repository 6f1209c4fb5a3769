"""The real readers and writers of other tools, for `tests/it/suite/peers.rs`. No network is used.

    peers.py make DIR          writes one file of each kind with the tools' own classes
    peers.py open FILE...      opens files with the tools' own readers; one line of JSON a file
    peers.py plan DIR...       runs Fast Downward on domain.pddl and problem.pddl of each folder; one line of JSON a folder
"""

import json
import math
import sys
from pathlib import Path


def inspect_log():
    from inspect_ai.event import ModelEvent, ToolEvent
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec
    from inspect_ai.model import (
        ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser, ContentImage, ContentReasoning,
        ContentText, GenerateConfig, ModelOutput, ModelUsage,
    )
    from inspect_ai.scorer import Score
    from inspect_ai.tool import ToolCall

    def sample(ident, epoch):
        long = "a long observation " * 40
        talk = [
            ChatMessageSystem(content="You act in a house."),
            ChatMessageUser(content=[ContentText(text="Warm the milk."), ContentImage(image="data:image/png;base64,iVBORw0KGgo=")]),
            ChatMessageAssistant(
                content=[ContentReasoning(reasoning="The fridge first."), ContentText(text="I open it. \u001b[31mred")],
                tool_calls=[ToolCall(id="call_1", function="open", arguments={"object": "fridge", "force": 1.5})],
                model="mockllm/model",
            ),
            ChatMessageTool(content=long, tool_call_id="call_1", function="open"),
            ChatMessageAssistant(content="Done."),
        ]
        output = ModelOutput.from_content("mockllm/model", "Done.")
        output.usage = ModelUsage(input_tokens=11, output_tokens=7, total_tokens=18)
        events = [
            ModelEvent(model="mockllm/model", input=talk[:2], tools=[], tool_choice="auto", config=GenerateConfig(), output=output),
            ToolEvent(id="call_1", function="open", arguments={"object": "fridge"}, result="open"),
            ModelEvent(model="mockllm/model", input=talk[:4], tools=[], tool_choice="auto", config=GenerateConfig(), output=output),
        ]
        return EvalSample(
            id=ident, epoch=epoch, input="Warm the milk.", target="warm", messages=talk, output=output, events=events,
            scores={"match": Score(value="C", answer="Done.", explanation="it is warm"), "odd": Score(value=math.nan)},
            metadata={"room": "kitchen"}, store={"seen": ["fridge"]}, total_time=1.5,
            model_usage={"mockllm/model": ModelUsage(input_tokens=22, output_tokens=14, total_tokens=36)},
        )

    return EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-11-30T12:00:00+00:00", task="household", dataset=EvalDataset(name="house", samples=2),
            model="mockllm/model", config=EvalConfig(), eval_id="e1", run_id="r1", task_id="t1",
        ),
        samples=[sample("warm-milk", 1), sample(2, 1)],
    )


def mini_trajectory(path):
    from minisweagent.agents.default import DefaultAgent
    from minisweagent.environments.local import LocalEnvironment
    from minisweagent.models.test_models import DeterministicModel, make_output

    outputs = [
        make_output("I look around.\n\n```mswea_bash_command\necho fridge\n```", [{"command": "echo fridge"}]),
        make_output(
            "Done.\n\n```mswea_bash_command\necho end\n```",
            [{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo warm"}],
        ),
    ]
    agent = DefaultAgent(
        DeterministicModel(outputs=outputs), LocalEnvironment(),
        system_template="You act in a house.", instance_template="Task: {{task}}", output_path=path,
    )
    agent.run("Warm the milk.")


def make(folder):
    from inspect_ai.log import write_eval_log

    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in (("made.eval", "eval"), ("made.json", "json")):
        write_eval_log(inspect_log(), str(folder / name), format=kind)
    mini_trajectory(folder / "made.traj.json")


def opened(path):
    text = path.read_bytes()[:2000]
    if path.name.endswith(".eval") or b'"eval"' in text:
        from inspect_ai.log import read_eval_log

        log = read_eval_log(str(path), resolve_attachments=True)
        return {
            "reader": "inspect", "status": log.status, "model": log.eval.model, "task": log.eval.task,
            "samples": [
                {
                    "id": s.id, "roles": [m.role for m in s.messages], "texts": [m.text for m in s.messages],
                    "calls": [c.function for m in s.messages for c in (getattr(m, "tool_calls", None) or [])],
                    "events": [e.event for e in s.events],
                    "scores": {k: v.value for k, v in (s.scores or {}).items()},
                }
                for s in log.samples or []
            ],
        }
    from minisweagent.run.utilities.inspector import TrajectoryInspector

    app = TrajectoryInspector([path])
    return {
        "reader": "mini-swe-agent", "steps": app.n_steps, "roles": [m.get("role") for m in app.messages],
        "texts": [m.get("content") for m in app.messages],
    }


def planned(folder):
    """Writes sas_plan into the folder; `None` where up-fast-downward is not installed."""
    import importlib.util
    import subprocess

    found = importlib.util.find_spec("up_fast_downward")
    if found is None:
        return {"planner": None}
    driver = Path(found.submodule_search_locations[0]) / "downward" / "fast-downward.py"
    done = subprocess.run(
        [sys.executable, driver, "--overall-time-limit", "30s", "--plan-file", folder / "sas_plan",
         "--sas-file", folder / "output.sas", folder / "domain.pddl", folder / "problem.pddl",
         "--search", "lazy_greedy([ff()],preferred=[ff()])"],
        capture_output=True, text=True,
    )
    return {"planner": "fast-downward", "exit": done.returncode, "said": done.stderr[-400:]}


def main():
    what, *rest = sys.argv[1:]
    if what == "make":
        make(Path(rest[0]))
    elif what == "plan":
        for name in rest:
            print(json.dumps(planned(Path(name).resolve())))
    else:
        for name in rest:
            print(json.dumps(opened(Path(name))))


main()
