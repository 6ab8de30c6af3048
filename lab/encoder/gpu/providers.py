"""Measures how fast onnxruntime embeds chunks on the GPU and the CPU of this machine, and how far the embeddings differ.

Each provider runs in a process of its own. Writes providers.json and providers.md to --out.
"""

import glob
import json
import os
import shutil
import subprocess
import sys

from gpu.compress import decompress_folder
from gpu.onnx_c import Library, library_of
from gpu.report import Report

# Driver files of NVIDIA that the Vulkan loader may not find itself
DRIVERS = ["/usr/share/vulkan/icd.d/nvidia_icd.json", "/etc/vulkan/icd.d/nvidia_icd.json", "/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json"]
# What all others are compared with
REFERENCE = "CPU float32"
RUNS = [
    (REFERENCE, "CPU", "float32"),
    ("CPU int8", "CPU", "int8"),
    ("WebGPU float16", "WebGPU", "float16"),
    ("WebGPU float32", "WebGPU", "float32"),
    ("CUDA float16", "CUDA", "float16"),
    ("CUDA float32", "CUDA", "float32"),
]
# Number of chunks that the engine encodes at once
AT_ONCE = 512
# Seconds for a provider to start and to compile, besides the measurement
SLACK = 60


def add_options(add):
    add("--pack", default=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), help="folder `providers` of gpu-pack")
    add("--out", required=True)
    add("--seconds", type=float, default=10, help="duration of each measurement")
    add("--rehearse", action="store_true", help="few chunks, in a second each")


def run(options):
    report = Report(options.out, "providers")
    at_once, slack = AT_ONCE, SLACK
    if options.rehearse:  # The machine may be slow.
        options.seconds, at_once, slack = 1, 4, 10 * SLACK
    pack, work = options.pack, os.path.join(options.pack, "work")
    os.makedirs(work, exist_ok=True)
    with report.phase("preparation", 2 * slack) as values:
        decompress_folder(pack)
        environment = prepare_vulkan(pack, work)
        values["driver"] = environment.get("VK_DRIVER_FILES", "as the loader finds it")
        values["providers"] = Library(library_of(pack)).providers()
        values["GPU"] = first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    with report.phase("models", 2 * slack) as values:
        write_models(pack, work)
    with report.phase("PyTorch", slack + options.seconds) as values:
        values.update(measure_torch(pack, options.seconds))
    runs = {}
    for name, provider, precision in RUNS:
        files = [library_of(pack), model_file(pack, work, precision), provider, os.path.join(pack, "chunks.safetensors")]
        settings = [str(at_once), str(options.seconds), vectors_file(work, name)]
        with report.phase(name, 2 * slack) as values:
            values.update(measure([*files, *settings], environment, options.seconds + slack))
        runs[name] = report.phases[name]
    report.add("comparison", {"runs": compare(runs, work)})


def prepare_vulkan(pack, work):
    """Unpacks the libraries of the pack. Returns the environment in which a process finds them."""
    environment, root = dict(os.environ), os.path.join(work, "libraries")
    for package in sorted(glob.glob(os.path.join(pack, "*.deb"))):
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    folders = [os.path.dirname(file) for file in glob.glob(os.path.join(root, "**/lib*.so*"), recursive=True)]
    paths = [*sorted(set(folders)), os.environ.get("LD_LIBRARY_PATH", "")]
    environment["LD_LIBRARY_PATH"] = ":".join(path for path in paths if path)
    found = [file for file in DRIVERS if os.path.exists(file)]
    if found and "VK_DRIVER_FILES" not in environment:
        environment["VK_DRIVER_FILES"] = found[0]
    return environment


def model_file(pack, work, precision):
    return os.path.join(pack, "model", "model.int8.onnx") if precision == "int8" else os.path.join(work, f"{precision}.onnx")


def write_models(pack, work):
    """Writes the model in other precisions, from its weights in int8. Needs PyTorch."""
    from gpu.cross import start_encoder
    from transformer.graph import graph

    encoder = start_encoder(os.path.join(pack, "model"))
    for precision in ("float32", "float16"):
        with open(model_file(pack, work, precision), "wb") as stream:
            stream.write(graph(encoder, precision))


def measure(arguments, environment, seconds):
    """Returns the speed of a provider, or why it failed: a dict. arguments: those of embed_chunks.py."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "embed_chunks.py")
    try:
        done = subprocess.run(
            [sys.executable, script, *arguments], env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"no result after {seconds} s"}
    if done.returncode != 0:
        return {"failed": (done.stderr.strip() or f"ended with {done.returncode}")[-600:]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def vectors_file(work, name):
    return os.path.join(work, f"{name.replace(' ', '-')}.npy")


def measure_torch(pack, seconds):
    """Returns the speed of PyTorch on the GPU, to know what the machine can do. Without a GPU it does not run."""
    import time

    import numpy as np
    import torch

    if not torch.cuda.is_available():
        return {"failed": "PyTorch finds no GPU", "torch": torch.__version__}
    from gpu.cross import start_encoder
    from gpu.lists import rows_of
    from rows import PATH, Texts, read_tensors
    from transformer.unpadded import Unpadded

    device = torch.device("cuda")
    unpadded = Unpadded(start_encoder(os.path.join(pack, "model")).to(device).eval(), device)
    texts = Texts.read(read_tensors(os.path.join(pack, "chunks.safetensors"))[1], "documents", PATH)
    order = np.random.default_rng(0).permutation(len(texts)).tolist()
    rows = list(rows_of([texts.of(i) for i in order], 200_000))
    with torch.no_grad():
        for row in rows[:2]:
            unpadded.embed(row)
        torch.cuda.synchronize()
        since, done = time.time(), 0
        while time.time() - since < seconds:
            for row in rows:
                unpadded.embed(row).cpu()
                done += len(row.sizes)
    return {"chunks per second": round(done / (time.time() - since), 1), "chunks": done, "torch": torch.__version__}


def compare(runs, work):
    """Adds the speed as a multiple of the CPU's in int8, and the largest 1 - cosine to the reference."""
    import numpy as np

    made = {}
    for name, values in runs.items():
        row = {key: values.get(key, "") for key in ("chunks per second", "chunks", "start", "failed")}
        cpu, own = runs["CPU int8"].get("chunks per second"), values.get("chunks per second")
        row["times CPU int8"] = round(own / cpu, 2) if cpu and own else ""
        files = [vectors_file(work, of) for of in (name, REFERENCE)]
        if own and all(map(os.path.exists, files)):
            a, b = (np.load(file).astype(np.float64) for file in files)
            cosines = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
            row["largest 1 - cosine"] = float(f"{np.max(1 - cosines):.2g}")
            row["finite"] = bool(np.isfinite(a).all())
        made[name] = row
    return made


def first_line(command):
    """Returns the first line that a program prints, or the reason why it fails."""
    if not shutil.which(command[0]):
        return f"{command[0]} is not installed"
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()[0]
