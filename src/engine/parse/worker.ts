/** A parser thread: answers each job with one message, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CodeTokens } from '../../shared/code-tokens.ts';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { languageOf } from '../languages/index.ts';
import { codeTokens } from './code-tokens.ts';
import { limitMemory } from './grammar.ts';
import { parseFile, parsePlain } from './parse-file.ts';
import { OUT_OF_MEMORY, type ParsedFile } from './types.ts';

export interface Job {
  path: string;
  text: string;
  /** All that an index holds of it, or the names in it. */
  wanted: 'chunks' | 'tokens';
  /** Do not parse: the parser failed on this file before. */
  plain: boolean;
}

/** Facts travel as JSON, ready to be stored: the thread that stores them never looks inside. */
export type ParsedMessage = Omit<ParsedFile, 'facts'> & { factsJson: string };

/** A worker says once that it is ready, and then of each job: done, refused for good, or failed at. */
export type FromWorker =
  | { ready: true }
  | { parsed: ParsedMessage }
  | { tokens: CodeTokens }
  | { refused: Pick<LocusError, 'code' | 'message' | 'remedy'> }
  | { failure: string };

/** The thread's `workerData`. */
export interface WorkerStart {
  /** Megabytes that the parser may take beside the heap. */
  maxMemory: number;
}

const port = present(parentPort, 'the port of a parser thread');
limitMemory((workerData as WorkerStart).maxMemory);

// One after the other, also while the grammar is being loaded.
let previous = Promise.resolve();
port.on('message', (job: Job) => {
  previous = previous.then(() => answer(job));
});

port.postMessage({ ready: true } satisfies FromWorker);

async function answer({ path, text, plain, wanted }: Job): Promise<void> {
  try {
    if (wanted === 'tokens') {
      const language = plain ? null : languageOf(path);
      const tokens = language ? await codeTokens(language, text) : [];
      port.postMessage({ tokens } satisfies FromWorker);
      return;
    }
    const { facts, ...rest } = plain ? parsePlain(path, text) : await parseFile(path, text);
    const message: FromWorker = { parsed: { ...rest, factsJson: JSON.stringify(facts) } };
    const { offsets, entries } = rest.termCounts;
    port.postMessage(message, [offsets.buffer, entries.buffer] as ArrayBuffer[]);
  } catch (error) {
    port.postMessage(failureOf(error as Error));
  }
}

function failureOf(error: Error): FromWorker {
  // The parser aborts when it gets no memory, and for no other reason.
  if (error.name === 'RuntimeError' && error.message.startsWith('Aborted'))
    return { failure: OUT_OF_MEMORY };
  if (!(error instanceof LocusError)) return { failure: error.message };
  const { code, message, remedy } = error;
  return { refused: { code, message, remedy } };
}
