import { createMemoryError, isOutOfMemory } from '../../base/memory.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { DEVICE_TRAITS, type Device, type DeviceName, listDevices } from '../../shared/devices.ts';
import { LocusError } from '../../shared/errors.ts';
import { loadKind } from './kinds/index.ts';
import type { ModelManifest } from './manifest.ts';
import { badModel, ModelFiles } from './model-files.ts';
import type { ModelKind, Tensors } from './model-kind.ts';
import { findForbiddenContent } from './onnx-check.ts';
import type { EncoderRow } from './types.ts';

/** Log level of onnxruntime that prints nothing. It throws its errors, so they need not be printed too. */
const QUIET = 4;

/** Factor of the batch size on a GPU. */
const GPU_BATCH_FACTOR = 8;

export interface LoadedModel {
  readonly device: string;
  /** Maximum number of tokens, padding included, for one run. */
  readonly batchTokens: number;
  /** Embeds rows, one after the other. Each vector has `dimensions` numbers and length 1, or 0 for a row without tokens. */
  run(rows: readonly EncoderRow[]): Promise<Float32Array>;
  release(): Promise<void>;
}

interface OpenedModel {
  model: LoadedModel;
  /** Reason why the model does not run on the requested device; null if it does. */
  fallback: string | null;
}

/**
 * Loads a model on a device and tries it there. If the device does not work, the CPU is used and `fallback` gives the
 * reason. `auto` is the CPU, unless the model benefits from a GPU and one of this machine is faster.
 * @param sample a few rows to try the model with
 * @throws LocusError `bad-model` if the model does not run on the CPU either
 */
export async function openModel(
  folder: string,
  manifest: ModelManifest,
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
  manifest: ModelManifest,
  sample: readonly EncoderRow[],
): Promise<OpenedModel> {
  const cpu = await loadOnCpu(folder, manifest);
  const kind = await loadKind(manifest.kind);
  if (!kind.benefitsFromGpu) return { model: cpu, fallback: null };
  const cpuTime = await measureRun(cpu, kind, sample);
  const reasons: string[] = [];
  for (const device of listDevices(process.platform)) {
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

/** Returns a model that ran on a device, with the time of a run in milliseconds; or the reason why it did not run. */
async function tryDevice(
  folder: string,
  manifest: ModelManifest,
  device: DeviceName,
  sample: readonly EncoderRow[],
): Promise<{ model: LoadedModel; time: number } | string> {
  let model: LoadedModel | undefined;
  try {
    model = await load(folder, manifest, device);
    return { model, time: await measureRun(model, await loadKind(manifest.kind), sample) };
  } catch (error) {
    await model?.release();
    return `${device} does not work here: ${getFirstLine(error)}`;
  }
}

/** Measures a run in milliseconds, after a first one for the device to warm up. @throws Error if the results are no embeddings */
async function measureRun(
  model: LoadedModel,
  { isScore = false }: ModelKind,
  rows: readonly EncoderRow[],
): Promise<number> {
  // Pairs run one by one.
  const sample = isScore ? rows.slice(0, 1) : rows;
  await model.run(sample);
  const start = performance.now();
  const embeddings = await model.run(sample);
  const elapsed = performance.now() - start;
  if (isScore) {
    if (!embeddings.every(Number.isFinite)) throw new Error('its results are not numbers');
    return elapsed;
  }
  const squares = embeddings.reduce((sum, value) => sum + value * value, 0);
  if (!(Math.abs(squares - sample.length) < 0.01 * sample.length)) {
    throw new Error('its results are not vectors of length 1');
  }
  return elapsed;
}

async function loadOnCpu(folder: string, manifest: ModelManifest): Promise<LoadedModel> {
  try {
    return await load(folder, manifest, 'cpu');
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    const path = new ModelFiles(folder, manifest).path(manifest.files.cpu);
    if (isOutOfMemory(cause)) throw createMemoryError(`to load ${path}`, cause);
    throw badModel(`${path} cannot be loaded: ${getFirstLine(cause)}.`, cause);
  }
}

async function load(
  folder: string,
  manifest: ModelManifest,
  device: DeviceName,
): Promise<LoadedModel> {
  if (!listDevices(process.platform).includes(device)) {
    throw new Error(`it is not available on ${process.platform}`);
  }
  const model = DEVICE_TRAITS[device].isGpu ? null : await loadDirectly(folder, manifest, device);
  return model ?? loadInRuntime(folder, manifest, device);
}

/** Loads a model on the CPU without onnxruntime; null if its kind does not support that. */
async function loadDirectly(
  folder: string,
  manifest: ModelManifest,
  device: DeviceName,
): Promise<LoadedModel | null> {
  const { openDirectly, batchTokens } = await loadKind(manifest.kind);
  const files = new ModelFiles(folder, manifest);
  const { cpu } = manifest.files;
  const embed = await openDirectly?.(files, cpu, manifest, manifest.dimensions);
  if (!embed) return null;
  return {
    device,
    batchTokens,
    async run(rows) {
      try {
        return embed(rows);
      } catch (cause) {
        // The tables lack a token or a type.
        throw badModel(
          `${files.path(cpu)} does not match its manifest: ${getFirstLine(cause)}.`,
          cause,
        );
      }
    },
    release: async () => {},
  };
}

/**
 * Loads a model in onnxruntime, even if its kind does not need it. It is loaded from its bytes: given a path, onnxruntime
 * would open any other file that the model refers to.
 * @throws LocusError `bad-model` for a file that Locus refuses; errors of onnxruntime
 */
export async function loadInRuntime(
  folder: string,
  manifest: ModelManifest,
  device: DeviceName,
): Promise<LoadedModel> {
  const { isGpu } = DEVICE_TRAITS[device];
  const kind = await loadKind(manifest.kind);
  const file = manifest.files[isGpu ? 'gpu' : 'cpu'] ?? manifest.files.cpu;
  const generated = Object.entries(kind.generateConstants?.(manifest, manifest.dimensions) ?? {});
  const files = new ModelFiles(folder, manifest);
  const bytes = await files.readOnnx(file);
  const names = generated.map(([name]) => name);
  const forbidden = findForbiddenContent(bytes, names);
  if (forbidden !== null) throw badModel(`${files.path(file)} cannot be used: ${forbidden}.`);
  // Imported only when needed, since it takes 25 MB of memory.
  const ort = await import('./onnxruntime.ts');
  ort.env.logLevel = 'fatal';
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: [device],
    externalData: generated.map(([path, { buffer }]) => ({ path, data: new Uint8Array(buffer) })),
    intraOpNumThreads: kind.threads,
    interOpNumThreads: 1,
    logSeverityLevel: QUIET,
  });
  return {
    device,
    batchTokens: kind.batchTokens * (isGpu ? GPU_BATCH_FACTOR : 1),
    async run(rows) {
      const path = files.path(file);
      const length = Math.max(1, ...rows.map((row) => row.inputIds.length));
      const tensors = kind.tensors(rows, length);
      const given = kind.skipsUnknownInputs ? pickInputs(tensors, session.inputNames) : tensors;
      const feeds = createFeeds(ort, given, [rows.length, length]);
      const results = await session.run(feeds, [manifest.output]);
      const { data, dims } = assertPresent(
        results[manifest.output],
        `the output ${manifest.output}`,
      );
      if (kind.readOutput) {
        const output = { data: toFloat32(data), dims };
        return readOutput(
          () => kind.readOutput?.(manifest, output, rows, manifest.dimensions),
          path,
        );
      }
      if (dims[1] !== manifest.dimensions) {
        throw badModel(
          `${files.path(file)} produces ${dims[1]} dimensions, but its manifest says ${manifest.dimensions}.`,
        );
      }
      return zeroUndefined(data as Float32Array, manifest.dimensions);
    },
    release: () => session.release(),
  };
}

/** Returns what a kind makes of an output. @throws LocusError `bad-model` if the shape does not fit */
function readOutput(
  read: () => Float32Array<ArrayBuffer> | undefined,
  path: string,
): Float32Array<ArrayBuffer> {
  try {
    return assertPresent(read(), 'the numbers of an output');
  } catch (cause) {
    throw badModel(`${path} does not match its manifest: ${getFirstLine(cause)}.`, cause);
  }
}

const pickInputs = (tensors: Tensors, names: readonly string[]): Tensors =>
  Object.fromEntries(Object.entries(tensors).filter(([name]) => names.includes(name)));

/** Returns numbers of 32 or 16 bits as 32 bits. @throws Error for other types */
function toFloat32(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (data instanceof Float16Array) return Float32Array.from(data);
  if (data instanceof Uint16Array)
    return Float32Array.from(new Float16Array(data.buffer, data.byteOffset, data.length));
  throw new Error('its output has no floating-point numbers');
}

type Runtime = typeof import('./onnxruntime.ts');

function createFeeds(
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

/** Replaces undefined embeddings by zeros, in place. A row without tokens has length 0, and some devices divide by it. */
function zeroUndefined(embeddings: Float32Array, dimensions: number): Float32Array {
  for (let row = 0; row < embeddings.length; row += dimensions) {
    if (!Number.isFinite(embeddings[row])) embeddings.fill(0, row, row + dimensions);
  }
  return embeddings;
}

/** Returns the first line of an error, without the source position and condition that onnxruntime puts before it. */
function getFirstLine(error: unknown): string {
  const [line] = String((error as Error).message ?? error).split('\n', 1);
  return (line ?? '').replace(/^\S+:\d+ .* was false\. /, '');
}
