/*
 * The thread that makes inputs for a model and runs it. onnxruntime blocks its thread, so this one does nothing else. It
 * works in steps of one batch, so that a query can run between two batches.
 */
import { setImmediate } from 'node:timers/promises';
import { createThreadPort, markTransfers, serveWorker } from '../../base/worker-server.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { Device } from '../../shared/devices.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { explainEncodeFailure } from './encode-failures.ts';
import { createInputs, createKeyFunction, groupIntoBatches } from './inputs.ts';
import type { ModelManifest } from './manifest.ts';
import { openModel } from './model.ts';
import type { EncoderDocument, EncoderRow } from './types.ts';

const SAMPLE = {
  path: 'package/module.py',
  text: 'def parse(text):\n    """Reads numbers from text."""\n    return [int(word) for word in text.split()]\n',
  signatureEnd: 16,
  doc: null,
  callees: [],
};
const SAMPLE_ROWS = 8;
/** Milliseconds between two reports. The other side counts whole seconds. */
const REPORT_INTERVAL_MS = 250;
let reportedAt = Number.NEGATIVE_INFINITY;

interface LoadedModelOptions {
  modelFolder: string;
  /** Valid manifest. It is not read here, since the schemas would take as long to load as the model. */
  manifest: ModelManifest;
  device: Device;
}

/** A queue that runs one step at a time. Urgent steps, which a person waits for, run first. */
class StepQueue {
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #others: (() => Promise<void>)[] = [];
  #working: Promise<void> | null = null;
  #isClosing = false;

  add<T>(step: () => Promise<T> | T, { urgent = false } = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const steps = urgent ? this.#urgent : this.#others;
    steps.push(async () => {
      await Promise.resolve().then(step).then(resolve, reject);
    });
    this.#working ??= this.#runAll();
    return promise;
  }

  /** Skips steps that have not begun. Resolves when the current step is done. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#working;
  }

  /** Runs all steps. Waiting messages are received between two steps. */
  async #runAll(): Promise<void> {
    while (!this.#isClosing) {
      const step = this.#urgent.shift() ?? this.#others.shift();
      if (!step) break;
      await step();
      reportStep();
      await setImmediate();
    }
    this.#working = null;
  }
}

const steps = new StepQueue();
const prepared = new Map<number, EncoderRow[]>();
let loaded: Awaited<ReturnType<typeof loadModel>> | null = null;
const getModel = () => assertPresent(loaded, 'the loaded model');

async function loadModel({ modelFolder, manifest, device }: LoadedModelOptions) {
  const inputs = await createInputs(modelFolder, manifest);
  reportStep();
  const sample = new Array(SAMPLE_ROWS).fill(inputs.buildDocument(SAMPLE));
  const opened = await openModel(modelFolder, manifest, device, sample);
  return { ...opened, manifest, inputs, keyOf: createKeyFunction(manifest.id, manifest.version) };
}

/** Runs the model, one step for each batch. After a batch fails, the others are skipped. */
async function runModel(id: number, wanted: number[]): Promise<Float32Array<ArrayBuffer>> {
  const { model, manifest } = getModel();
  const all = assertPresent(prepared.get(id), 'the prepared rows');
  const rows = wanted.map((index) => assertPresent(all[index], 'a prepared row'));
  const { dimensions } = manifest;
  const embeddings = new Float32Array(rows.length * dimensions);
  let hasFailed = false;
  const runBatch = async (batch: readonly number[]) => {
    if (hasFailed) return;
    hasFailed = true;
    const output = await model.run(
      batch.map((index) => assertPresent(rows[index], 'a row of a batch')),
    );
    hasFailed = false;
    for (const [i, index] of batch.entries()) {
      const embedding = output.subarray(i * dimensions, (i + 1) * dimensions);
      embeddings.set(embedding, index * dimensions);
    }
  };
  await Promise.all(
    groupIntoBatches(rows, model.batchTokens).map((batch) => steps.add(() => runBatch(batch))),
  );
  return markTransfers(embeddings, [embeddings.buffer]);
}

const methods = {
  async load(options: LoadedModelOptions) {
    loaded = await loadModel(options);
    return { device: loaded.model.device, fallback: loaded.fallback };
  },

  /** Makes the inputs of documents and stores them by an id that the caller chooses. Returns their keys. */
  prepare: ({ id, documents }: { id: number; documents: EncoderDocument[] }) =>
    steps.add(() => {
      const rows = documents.map((document) => getModel().inputs.buildDocument(document));
      prepared.set(id, rows);
      return rows.map(getModel().keyOf);
    }),

  run: ({ id, wanted }: { id: number; wanted: number[] }) => runModel(id, wanted),

  release({ id }: { id: number }): void {
    prepared.delete(id);
  },

  query: ({ issue }: { issue: EncoderQuery }) =>
    steps.add(
      async () =>
        Float32Array.from(await getModel().model.run([getModel().inputs.buildQuery(issue)])),
      {
        urgent: true,
      },
    ),

  /** Scores a pair of an issue and a document. */
  score: ({ issue, document }: { issue: EncoderQuery; document: EncoderDocument }) =>
    steps.add(
      async () => {
        const { inputs, model } = getModel();
        const row = assertPresent(inputs.buildPair, 'a model that scores pairs')(issue, document);
        const [score] = await model.run([row]);
        return assertPresent(score, 'the score of a pair');
      },
      { urgent: true },
    ),

  explain: ({ document }: { document: EncoderDocument }) =>
    steps.add(() => getModel().inputs.explain(document), { urgent: true }),
};

export type EncodeMethods = typeof methods;

const notify = serveWorker(createThreadPort(), methods, {
  explain: explainEncodeFailure,
  onClose: async () => {
    await steps.close();
    await loaded?.model.release();
  },
});

/** Reports that a step is done, so that the thread does not seem stuck. Steps take milliseconds, and messages cost as much. */
function reportStep(): void {
  const now = performance.now();
  if (now - reportedAt < REPORT_INTERVAL_MS) return;
  reportedAt = now;
  notify('step');
}
