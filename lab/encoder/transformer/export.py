"""Exports a trained encoder as a model folder of Locus, with a model card, and embeddings for a test."""

import json
import os

import torch

from evaluate import summary
from export import digest
from rows import copy_tokenizer, read_start
from runs import load
from transformer.embed import device_of, tensors
from transformer.evaluate import add_model_options, load_encoder, measure
from transformer.graph import TYPES, graph, product
from transformer.model import POSITIONS, Encoder, vocabulary_of

# Shape of the encoder that training starts from, for random weights to measure speed with
SHAPE = {"dimensions": 384, "layers": 6, "heads": 12, "positions": POSITIONS}


def add_options(add):
    add_model_options(add)
    add("--random", metavar="ROWS", help="instead of a run: folder of training-rows for its tokenizer; exports random weights of full size, to measure speed")
    add("--out", required=True, help="models/<id>")
    add("--id", required=True)
    add("--version", required=True)
    add("--cpu", choices=sorted(TYPES), default="int8")
    add("--gpu", choices=sorted(TYPES), default="float16")
    add("--rows", help="folder of rows to measure on, for the model card")
    add("--issues-name", default="the issues of the rows", help="description of the issues, for the manifest")
    add("--trained-on", default="", help="a sentence for the manifest and the model card")
    add("--fixture", help="file of texts and their tokens; their embeddings are added")


def run(options):
    encoder, stages = load_run(options)
    copy_tokenizer(options.run or options.random or options.rows, options.out)
    files = {"cpu": f"model.{options.cpu}.onnx", "gpu": f"model.{options.gpu}.onnx"}
    for device, precision in (("cpu", options.cpu), ("gpu", options.gpu)):
        with open(os.path.join(options.out, files[device]), "wb") as stream:
            stream.write(graph(encoder, precision))
    measured = measured_summaries(encoder, options) if options.rows else {}
    made = manifest(encoder, options, files, measured)
    with open(os.path.join(options.out, "model.json"), "w") as stream:
        stream.write(json.dumps(made, indent=2) + "\n")
    with open(os.path.join(options.out, "README.md"), "w") as stream:
        stream.write(card(encoder, options, made, measured, stages))
    if options.random:
        for precision in ("float32", "int8"):
            with open(os.path.join(options.out, f"product.{precision}.onnx"), "wb") as stream:
                stream.write(product(precision))
    if options.fixture:
        fill_fixture(encoder, options.fixture)


def load_run(options):
    """Returns the encoder on the CPU, and the stages of its training, which are empty for random weights."""
    if options.random:
        torch.manual_seed(1)
        return Encoder({"vocabulary": vocabulary_of(options.random), **SHAPE}).eval(), []
    return load_encoder(options), [] if options.start else load(options.run)["stages"]


@torch.no_grad()
def fill_fixture(encoder, file):
    """Adds embeddings to the documents and issues of a fixture, from their tokens and types."""
    with open(file, encoding="utf-8") as stream:
        fixture = json.load(stream)
    for made in (*fixture["documents"], *fixture["issues"]):
        embedding = encoder(*tensors([(made["tokens"], made["types"])], torch.device("cpu")))[0]
        made["embedding"] = [round(float(x), 6) for x in embedding]
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(fixture) + "\n")


def measured_summaries(encoder, options):
    device = device_of(options.device)
    found = measure(encoder.to(device), options, device)
    encoder.to("cpu")
    return {name: summary(ranks) for name, ranks in found.items()}


def manifest(encoder, options, files, measured):
    made = {
        **read_start(options.run or options.random or options.rows),
        "id": options.id,
        "version": options.version,
        "dimensions": encoder.dimensions,
        "output": "embedding",
        "files": files,
        "license": "Apache-2.0",
    }
    names = dict.fromkeys([*files.values(), "tokenizer.json"])
    made["sha256"] = {name: digest(os.path.join(options.out, name)) for name in names}
    if options.trained_on:
        made["trainedOn"] = options.trained_on
    if "issues" in measured:
        of = measured["issues"]
        made["quality"] = {
            "data": options.issues_name,
            "perfectRecallAt5": of["perfect recall@5"],
            "perfectRecallAt20": of["perfect recall@20"],
            "mrr": of["MRR"],
        }
    return made


def card(encoder, options, made, measured, stages):
    """Returns the model card in Markdown, from the run, the manifest and the measurements."""
    shape = encoder.shape
    weights = sum(p.numel() for name, p in encoder.named_parameters() if name != "log_temperature")
    lines = [
        f"# {made['id']}",
        "",
        f"A transformer encoder: {shape['layers']} layers of {shape['dimensions']} dimensions and {shape['heads']} heads, "
        f"{shape['vocabulary']:,} tokens, {weights / 1e6:.1f} million weights. "
        "[docs/reference/training.md](../../docs/reference/training.md#the-transformer) says how such encoders are trained.",
        "",
        "## Input",
        "",
        f"`[C] path signature body` of at most {made['maxTokens']} tokens, with up to {made['maxCallees']} callees, "
        f"`[DOWN] path \\n text`, of {made['maxCalleeTokens']} tokens each; an issue is `[Q] title text code trace` of at "
        f"most {made['maxQueryTokens']}. [docs/reference/models.md](../../docs/reference/models.md) is exact; `tokenizer.json` cuts texts.",
        "",
        "## Files",
        "",
        *(f"- `{name}`, for {device}s: {graph_size(options.out, name)}" for device, name in made["files"].items()),
        "",
        "## Training",
        "",
        made.get("trainedOn", "On nothing: its weights are random, to measure speed with."),
    ]
    before = {}
    for stage in stages:
        options = dict(recipe(stage["options"]))
        changed = {name: value for name, value in options.items() if before.get(name, ...) != value}
        before = options
        lines += ["", f"From step {stage['step']}:", ""]
        lines += ["| option | |", "|---|---|"] if changed else ["The same, on other data."]
        lines += [f"| `{name}` | {value} |" for name, value in changed.items()]
    if measured:
        columns = list(next(iter(measured.values())))
        lines += ["", "## Quality", "", "The encoder alone, in float, before its weights were rounded.", ""]
        lines += ["| | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
        lines += [f"| {name} | " + " | ".join(str(of[c]) for c in columns) + " |" for name, of in measured.items()]
    return "\n".join(lines) + "\n"


def recipe(options):
    """Returns the training options that affect the result: without the locations of files, except that `beside` becomes true or
    false, and without the shape of random weights if training started from others."""
    without = {"rows", "start", "device", "measure_minutes", "checkpoint_minutes"}
    if options.get("start"):
        without |= {"layers", "dimensions", "heads"}
    given = {name: value for name, value in options.items() if name not in without and value is not None}
    given |= {name: True for name in ("beside", "capped") if name in given}
    return sorted(given.items())


def graph_size(folder, name):
    return f"{os.path.getsize(os.path.join(folder, name)) / 1e6:.1f} MB"
