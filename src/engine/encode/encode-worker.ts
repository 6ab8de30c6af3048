/*
 * The thread in which a model makes inputs and runs. onnxruntime blocks its thread, so this one does
 * nothing else, and does it in steps of one batch: between two steps, a query may come first.
 */
import '../../shared/plain-schemas.ts';
import { setImmediate } from 'node:timers/promises';
import { serveWorker, threadPort, transferring } from '../../base/worker-server.ts';
import type { Device } from '../../shared/devices.ts';
import { present } from '../../shared/present.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { explainFailure } from './encode-failures.ts';
import { batches, createInputs, rowKeys } from './inputs.ts';
import { loadManifest } from './manifest.ts';
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

/** Work that is done in steps, one at a time. Steps that a person waits for go first. */
class Steps {
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
    this.#working ??= this.#work();
    return promise;
  }

  /** Skips the steps that have not begun. Resolves when none is at work. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#working;
  }

  /** Between two steps, waiting messages are received. */
  async #work(): Promise<void> {
    while (!this.#isClosing) {
      const step = this.#urgent.shift() ?? this.#others.shift();
      if (!step) break;
      await step();
      tellStep();
      await setImmediate();
    }
    this.#working = null;
  }
}

const steps = new Steps();
const prepared = new Map<number, EncoderRow[]>();
let loaded: Awaited<ReturnType<typeof load>> | null = null;
const model = () => present(loaded, 'the loaded model');

async function load(modelFolder: string, device: Device) {
  const manifest = await loadManifest(modelFolder);
  const inputs = await createInputs(modelFolder, manifest);
  tellStep();
  const sample = new Array(SAMPLE_ROWS).fill(inputs.document(SAMPLE));
  const opened = await openModel(modelFolder, manifest, device, sample);
  return { ...opened, manifest, inputs, keyOf: rowKeys(manifest.id, manifest.version) };
}

/** Runs the model in a step for each batch. After a batch that fails the others are skipped. */
async function run(id: number, wanted: number[]): Promise<Float32Array<ArrayBuffer>> {
  const { model: running, manifest } = model();
  const all = present(prepared.get(id), 'what was prepared');
  const rows = wanted.map((index) => present(all[index], 'a prepared row'));
  const { dimensions } = manifest;
  const embeddings = new Float32Array(rows.length * dimensions);
  let hasFailed = false;
  const runBatch = async (batch: readonly number[]) => {
    if (hasFailed) return;
    hasFailed = true;
    const made = await running.run(batch.map((index) => present(rows[index], 'a row of a batch')));
    hasFailed = false;
    for (const [i, index] of batch.entries()) {
      const embedding = made.subarray(i * dimensions, (i + 1) * dimensions);
      embeddings.set(embedding, index * dimensions);
    }
  };
  await Promise.all(
    batches(rows, running.batchTokens).map((batch) => steps.add(() => runBatch(batch))),
  );
  return transferring(embeddings, [embeddings.buffer]);
}

const methods = {
  async load({ modelFolder, device }: { modelFolder: string; device: Device }) {
    loaded = await load(modelFolder, device);
    return { device: loaded.model.device, fallback: loaded.fallback };
  },

  /** Makes the inputs of documents and keeps them under a number of the caller's choice. Returns their keys. */
  prepare: ({ id, documents }: { id: number; documents: EncoderDocument[] }) =>
    steps.add(() => {
      const rows = documents.map((document) => model().inputs.document(document));
      prepared.set(id, rows);
      return rows.map(model().keyOf);
    }),

  run: ({ id, wanted }: { id: number; wanted: number[] }) => run(id, wanted),

  release({ id }: { id: number }): void {
    prepared.delete(id);
  },

  query: ({ issue }: { issue: EncoderQuery }) =>
    steps.add(
      async () => Float32Array.from(await model().model.run([model().inputs.query(issue)])),
      {
        urgent: true,
      },
    ),

  explain: ({ document }: { document: EncoderDocument }) =>
    steps.add(() => model().inputs.explain(document), { urgent: true }),
};

export type EncodeMethods = typeof methods;

const tell = serveWorker(threadPort(), methods, {
  explain: explainFailure,
  onClose: async () => {
    await steps.close();
    await loaded?.model.release();
  },
});

/** Tells that a step is done: the thread is not stuck. */
function tellStep(): void {
  tell('step');
}
