/*
 * The thread in which a model makes inputs and runs. onnxruntime blocks its thread, so this one does
 * nothing else, and does it in steps of one batch: between two steps, a query may come first.
 */
import '../../shared/plain-schemas.ts';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { present } from '../../shared/present.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { batches } from './batches.ts';
import { createInputs } from './inputs.ts';
import { loadManifest, type Manifest } from './manifest.ts';
import {
  type Answers,
  type FromWorker,
  type Request,
  type ToWorker,
  toPlain,
  type WorkerStart,
} from './messages.ts';
import { type LoadedModel, openModel } from './model.ts';
import { rowKeys } from './row-key.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from './types.ts';

const SAMPLE = {
  path: 'package/module.py',
  text: 'def parse(text):\n    """Reads numbers from text."""\n    return [int(word) for word in text.split()]\n',
  signatureEnd: 16,
  doc: null,
  callees: [],
};
const SAMPLE_ROWS = 8;

const port = present(parentPort, 'the port of a worker thread');

class EncodeWorker {
  readonly #manifest: Manifest;
  readonly #inputs: InputMaker;
  readonly #model: LoadedModel;
  readonly #keyOf: (row: EncoderRow) => string;
  readonly #prepared = new Map<number, EncoderRow[]>();
  /** Steps that wait: those that a person waits for, and all others. */
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #steps: (() => Promise<void>)[] = [];
  #working = false;
  #closing = false;

  constructor(manifest: Manifest, inputs: InputMaker, model: LoadedModel) {
    this.#manifest = manifest;
    this.#inputs = inputs;
    this.#model = model;
    this.#keyOf = rowKeys(manifest.id, manifest.version);
  }

  receive(message: ToWorker): void {
    if (message.type === 'close') this.#closing = true;
    else if (message.type === 'forget') this.#prepared.delete(message.prepared);
    else this.#accept(message);
    if (!this.#working) void this.#work();
  }

  #accept(request: Request & { id: number }): void {
    const { id } = request;
    const step = (make: () => Promise<Answers[keyof Answers]>) => () => reply(id, make);
    switch (request.type) {
      case 'prepare':
        this.#steps.push(step(async () => this.#prepare(id, request.documents)));
        break;
      case 'run':
        this.#steps.push(...this.#runSteps(id, request.prepared, request.wanted));
        break;
      case 'query':
        this.#urgent.push(step(() => this.#query(request.issue)));
        break;
      case 'explain':
        this.#urgent.push(step(async () => this.#inputs.explain(request.document)));
        break;
    }
  }

  /** One step at a time until none is left; between two, waiting messages are received. */
  async #work(): Promise<void> {
    this.#working = true;
    while (!this.#closing) {
      const step = this.#urgent.shift() ?? this.#steps.shift();
      if (!step) break;
      await step();
      await setImmediate();
    }
    this.#working = false;
    if (this.#closing) {
      await this.#model.release();
      port.close();
    }
  }

  #prepare(id: number, documents: EncoderDocument[]): string[] {
    const rows = documents.map((document) => this.#inputs.document(document));
    this.#prepared.set(id, rows);
    return rows.map(this.#keyOf);
  }

  /** A step for each batch; the last one answers. A batch that fails fails the request, and the others are skipped. */
  #runSteps(id: number, prepared: number, wanted: number[]): (() => Promise<void>)[] {
    const all = present(this.#prepared.get(prepared), 'what was prepared');
    const rows = wanted.map((index) => present(all[index], 'a prepared row'));
    const { dimensions } = this.#manifest;
    const embeddings = new Float32Array(rows.length * dimensions);
    let failed = false;
    const steps = batches(rows, this.#model.batchTokens).map((batch) => async () => {
      if (failed) return;
      try {
        const made = await this.#model.run(
          batch.map((index) => present(rows[index], 'a row of a batch')),
        );
        for (const [i, index] of batch.entries()) {
          const embedding = made.subarray(i * dimensions, (i + 1) * dimensions);
          embeddings.set(embedding, index * dimensions);
        }
      } catch (error) {
        failed = true;
        post({ type: 'error', id, error: toPlain(error) });
      }
    });
    const answer = async () => {
      if (!failed) post({ type: 'answer', id, value: embeddings }, [embeddings.buffer]);
    };
    return [...steps, answer];
  }

  async #query(issue: EncoderQuery): Promise<Float32Array<ArrayBuffer>> {
    return Float32Array.from(await this.#model.run([this.#inputs.query(issue)]));
  }
}

async function reply(id: number, make: () => Promise<Answers[keyof Answers]>): Promise<void> {
  try {
    post({ type: 'answer', id, value: await make() });
  } catch (error) {
    post({ type: 'error', id, error: toPlain(error) });
  }
}

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function start({ modelFolder, device }: WorkerStart): Promise<void> {
  try {
    const manifest = await loadManifest(modelFolder);
    const inputs = await createInputs(modelFolder, manifest);
    const sample = new Array(SAMPLE_ROWS).fill(inputs.document(SAMPLE));
    const { model, fallback } = await openModel(modelFolder, manifest, device, sample);
    const worker = new EncodeWorker(manifest, inputs, model);
    port.on('message', (message: ToWorker) => worker.receive(message));
    post({ type: 'ready', device: model.device, fallback });
  } catch (error) {
    post({ type: 'failed', error: toPlain(error) });
    port.close();
  }
}

await start(workerData as WorkerStart);
