/** A parser thread: answers each job with one message, in order. */
import { parentPort } from 'node:worker_threads';
import { LocusError } from '../../shared/errors.ts';
import { parseFile, parsePlain } from './parse-file.ts';
import type { ParsedFile } from './types.ts';

export interface Job {
  path: string;
  text: string;
  /** Do not parse: the parser failed on this file before. */
  plain: boolean;
}

/** Facts travel as JSON, ready to be stored: the thread that stores them never looks inside. */
export type ParsedMessage = Omit<ParsedFile, 'facts'> & { factsJson: string };

/** A worker says once that it is ready, and then of each job: done, refused for good, or failed at. */
export type FromWorker =
  | { ready: true }
  | { parsed: ParsedMessage }
  | { refused: Pick<LocusError, 'code' | 'message' | 'remedy'> }
  | { failure: string };

const port = parentPort!;

port.on('message', async ({ path, text, plain }: Job) => {
  try {
    const { facts, ...rest } = plain ? parsePlain(path, text) : await parseFile(path, text);
    const answer: FromWorker = { parsed: { ...rest, factsJson: JSON.stringify(facts) } };
    port.postMessage(answer, [rest.bags.offsets.buffer, rest.bags.entries.buffer] as ArrayBuffer[]);
  } catch (error) {
    port.postMessage(failureOf(error as Error));
  }
});

port.postMessage({ ready: true } satisfies FromWorker);

function failureOf(error: Error): FromWorker {
  if (!(error instanceof LocusError)) return { failure: error.message };
  const { code, message, remedy } = error;
  return { refused: { code, message, remedy } };
}
