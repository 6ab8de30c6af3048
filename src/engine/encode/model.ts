import { isOutOfMemory, outOfMemory } from '../../base/memory.ts';
import { DEVICE_TRAITS, type Device, type DeviceName, devicesOf } from '../../shared/devices.ts';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type { ModelKind, Tensors } from './kind.ts';
import { KINDS } from './kinds/index.ts';
import type { Manifest } from './manifest.ts';
import { badModel, ModelFiles } from './model-files.ts';
import { findForbidden } from './onnx-check.ts';
import type { EncoderRow } from './types.ts';

/** onnxruntime throws its errors and prints them as well; once is enough. */
const QUIET = 4;

const GPU_BATCH = 8;

export interface LoadedModel {
  readonly device: string;
  /** Tokens, padding included, that one run takes. */
  readonly batchTokens: number;
  /** Embeds rows; `dimensions` numbers each, one row after the other, of length 1 (or 0 for a row without tokens). */
  run(rows: readonly EncoderRow[]): Promise<Float32Array>;
  release(): Promise<void>;
}

/** A model on the device it will run on, and why that is not the one asked for. */
interface OpenedModel {
  model: LoadedModel;
  fallback: string | null;
}

/**
 * Loads a model on a device, and tries it there. Where the device does not work, the CPU takes its
 * place and `fallback` says why. `auto` is the CPU, unless a model gains by a GPU and one of this
 * machine proves faster on `sample`, a few rows to try it with.
 * @throws LocusError `bad-model` when the model does not run on the CPU either
 */
export async function openModel(
  folder: string,
  manifest: Manifest,
  device: Device,
  sample: readonly EncoderRow[],
): Promise<OpenedModel> {
  if (device === 'cpu') return { model: await loadOnCpu(folder, manifest), fallback: null };
  if (device === 'auto') return openFastest(folder, manifest, sample);
  const opened = await tryDevice(folder, manifest, device, sample);
  if (typeof opened !== 'string') return { model: opened.model, fallback: null };
  return { model: await loadOnCpu(folder, manifest), fallback: opened };
}

async function openFastest(
  folder: string,
  manifest: Manifest,
  sample: readonly EncoderRow[],
): Promise<OpenedModel> {
  const cpu = await loadOnCpu(folder, manifest);
  if (!KINDS[manifest.kind].gainsFromGpu) return { model: cpu, fallback: null };
  const cpuTime = await trialTime(cpu, sample);
  const reasons: string[] = [];
  for (const device of devicesOf(process.platform)) {
    if (device === 'cpu') continue;
    const opened = await tryDevice(folder, manifest, device, sample);
    if (typeof opened === 'string') {
      reasons.push(opened);
    } else if (opened.time < cpuTime) {
      await cpu.release();
      return { model: opened.model, fallback: null };
    } else {
      reasons.push(`${device} is not faster than the CPU here`);
      await opened.model.release();
    }
  }
  return { model: cpu, fallback: reasons.join('; ') || null };
}

/** A model that ran on a device, and the milliseconds that took; or why it did not. */
async function tryDevice(
  folder: string,
  manifest: Manifest,
  device: DeviceName,
  sample: readonly EncoderRow[],
): Promise<{ model: LoadedModel; time: number } | string> {
  let model: LoadedModel | undefined;
  try {
    model = await load(folder, manifest, device);
    return { model, time: await trialTime(model, sample) };
  } catch (error) {
    await model?.release();
    return `${device} does not work here: ${firstLine(error)}`;
  }
}

/** Milliseconds of a run, after one that lets the device prepare itself. Throws when the results are not embeddings. */
async function trialTime(model: LoadedModel, sample: readonly EncoderRow[]): Promise<number> {
  await model.run(sample);
  const start = performance.now();
  const embeddings = await model.run(sample);
  const took = performance.now() - start;
  const square = embeddings.reduce((sum, value) => sum + value * value, 0);
  if (!(Math.abs(square - sample.length) < 0.01 * sample.length)) {
    throw new Error('its results are not vectors of length 1');
  }
  return took;
}

async function loadOnCpu(folder: string, manifest: Manifest): Promise<LoadedModel> {
  try {
    return await load(folder, manifest, 'cpu');
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    const path = new ModelFiles(folder, manifest).path(manifest.files.cpu);
    if (isOutOfMemory(cause)) throw outOfMemory(`to load ${path}`, cause);
    throw badModel(`${path} does not load: ${firstLine(cause)}.`, cause);
  }
}

async function load(folder: string, manifest: Manifest, device: DeviceName): Promise<LoadedModel> {
  if (!devicesOf(process.platform).includes(device)) {
    throw new Error(`there is none on ${process.platform}`);
  }
  const here = DEVICE_TRAITS[device].gpu ? null : await loadHere(folder, manifest, device);
  return here ?? loadInRuntime(folder, manifest, device);
}

/** On the CPU by what the kind itself knows of the model; null where it does not. */
async function loadHere(
  folder: string,
  manifest: Manifest,
  device: DeviceName,
): Promise<LoadedModel | null> {
  const { embedHere, batchTokens }: ModelKind = KINDS[manifest.kind];
  const files = new ModelFiles(folder, manifest);
  const { cpu } = manifest.files;
  const embed = await embedHere?.(files, cpu, manifest, manifest.dimensions);
  if (!embed) return null;
  return {
    device,
    batchTokens,
    async run(rows) {
      try {
        return embed(rows);
      } catch (cause) {
        // A token or a type that its tables lack.
        throw badModel(`${files.path(cpu)} does not fit its manifest: ${firstLine(cause)}.`, cause);
      }
    },
    release: async () => {},
  };
}

/**
 * Loads a model in onnxruntime, whatever its kind could do without it. It is loaded from its bytes: from a path, onnxruntime would open
 * the files that the model names.
 * @throws LocusError `bad-model` for a file that Locus refuses; onnxruntime's errors
 */
export async function loadInRuntime(
  folder: string,
  manifest: Manifest,
  device: DeviceName,
): Promise<LoadedModel> {
  const { gpu } = DEVICE_TRAITS[device];
  const kind: ModelKind = KINDS[manifest.kind];
  const file = manifest.files[gpu ? 'gpu' : 'cpu'] ?? manifest.files.cpu;
  const given = Object.entries(kind.given?.(manifest, manifest.dimensions) ?? {});
  const files = new ModelFiles(folder, manifest);
  const bytes = await files.readOnnx(file);
  const names = given.map(([name]) => name);
  const forbidden = findForbidden(bytes, names);
  if (forbidden !== null) throw badModel(`${files.path(file)} cannot be used: ${forbidden}.`);
  // Only where it is needed: it takes 25 MB.
  const ort = await import('./onnxruntime.ts');
  ort.env.logLevel = 'fatal';
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: [device],
    externalData: given.map(([path, made]) => ({ path, data: new Uint8Array(made.buffer) })),
    intraOpNumThreads: kind.threads,
    interOpNumThreads: 1,
    logSeverityLevel: QUIET,
  });
  return {
    device,
    batchTokens: kind.batchTokens * (gpu ? GPU_BATCH : 1),
    async run(rows) {
      const length = Math.max(1, ...rows.map((row) => row.inputIds.length));
      const feeds = feedsOf(ort, kind.tensors(rows, length), [rows.length, length]);
      const results = await session.run(feeds, [manifest.output]);
      const { data, dims } = present(results[manifest.output], `the output ${manifest.output}`);
      if (dims[1] !== manifest.dimensions) {
        throw badModel(
          `${files.path(file)} makes ${dims[1]} dimensions, and its manifest says ${manifest.dimensions}.`,
        );
      }
      return withoutUndefined(data as Float32Array, manifest.dimensions);
    },
    release: () => session.release(),
  };
}

type Runtime = typeof import('./onnxruntime.ts');

function feedsOf(
  ort: Runtime,
  tensors: Tensors,
  dims: number[],
): Record<string, InstanceType<Runtime['Tensor']>> {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, data]) => [
      name,
      data instanceof Float32Array
        ? new ort.Tensor('float32', data, dims)
        : new ort.Tensor('int64', data, dims),
    ]),
  );
}

/** A row without tokens has no direction, and some devices divide by its length 0. Makes it zeros. */
function withoutUndefined(embeddings: Float32Array, dimensions: number): Float32Array {
  for (let row = 0; row < embeddings.length; row += dimensions) {
    if (!Number.isFinite(embeddings[row])) embeddings.fill(0, row, row + dimensions);
  }
  return embeddings;
}

/** The first line of an error, less the source position and condition that onnxruntime puts in front. */
function firstLine(error: unknown): string {
  const [line] = String((error as Error).message ?? error).split('\n', 1);
  return (line ?? '').replace(/^\S+:\d+ .* was false\. /, '');
}
