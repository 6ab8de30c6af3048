/** A parser thread: answers each job with one message, in order. */
import { SerialQueue } from '../../base/serial-queue.ts';
import { serveWorker, threadPort, transferring } from '../../base/worker-server.ts';
import type { CodeTokens } from '../../shared/code-tokens.ts';
import { LocusError } from '../../shared/errors.ts';
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

/** A `failure` says nothing about how the file could be read instead: its thread is of no more use. */
export type JobAnswer = { parsed: ParsedMessage } | { tokens: CodeTokens } | { failure: string };

const queue = new SerialQueue();

const methods = {
  /** @param params.maxMemory megabytes that the parser may take beside the heap */
  start({ maxMemory }: { maxMemory: number }): void {
    limitMemory(maxMemory);
  },

  /** Parses a file once all files before it are done, also while a grammar is being loaded. */
  parse: (job: Job) => queue.add(() => answer(job)),
};

export type ParserMethods = typeof methods;

serveWorker(threadPort(), methods);

async function answer({ path, text, plain, wanted }: Job): Promise<JobAnswer> {
  try {
    if (wanted === 'tokens') {
      const language = plain ? null : languageOf(path);
      return { tokens: language ? await codeTokens(language, text) : [] };
    }
    const { facts, ...rest } = plain ? parsePlain(path, text) : await parseFile(path, text);
    const parsed = { ...rest, factsJson: JSON.stringify(facts) };
    const { offsets, entries } = rest.termCounts;
    return transferring({ parsed }, [offsets.buffer, entries.buffer] as ArrayBuffer[]);
  } catch (error) {
    if (error instanceof LocusError) throw error;
    const { name, message } = error as Error;
    // The parser aborts when it gets no memory, and for no other reason.
    const isFull = name === 'RuntimeError' && message.startsWith('Aborted');
    return { failure: isFull ? OUT_OF_MEMORY : message };
  }
}
