/** Parser thread. Answers each job with one message, in order. */
import { SerialQueue } from '../../base/serial-queue.ts';
import { createThreadPort, markTransfers, serveWorker } from '../../base/worker-server.ts';
import type { CodeTokens } from '../../shared/code-tokens.ts';
import { LocusError } from '../../shared/errors.ts';
import { findLanguage, isManifest, loadLanguagesIn } from '../languages/index.ts';
import { readCodeTokens } from './code-tokens.ts';
import { limitParserMemory } from './grammar.ts';
import { type PackedFile, packFile } from './packed-file.ts';
import { parseAsPlainText, parseFile } from './parse-file.ts';
import { OUT_OF_MEMORY } from './types.ts';

export interface ParserJob {
  path: string;
  text: string;
  /** `chunks` for everything that an index stores; `tokens` for the kinds of its names. */
  wanted: 'chunks' | 'tokens';
  /** True to skip parsing, because the parser failed on this file before. */
  plain: boolean;
}

/** Answer to a job: the parsed file is packed as it is stored. After a `failure` the thread is unusable. */
export type ParserAnswer = { parsed: PackedFile } | { tokens: CodeTokens } | { failure: string };

const queue = new SerialQueue();

const methods = {
  /**
   * @param params.maxMemory limit on the parser's memory outside the heap, in megabytes
   * @param params.languages folder of the user's languages
   */
  start({ maxMemory, languages }: { maxMemory: number; languages: string | null }): void {
    limitParserMemory(maxMemory);
    loadLanguagesIn(languages);
  },

  /** Parses a file after all earlier ones, even if a grammar has to be loaded first. */
  parse: (job: ParserJob) => queue.add(() => parseJob(job)),
};

export type ParserMethods = typeof methods;

serveWorker(createThreadPort(), methods);

async function parseJob({ path, text, plain, wanted }: ParserJob): Promise<ParserAnswer> {
  try {
    if (wanted === 'tokens') {
      const language = plain ? null : findLanguage(path);
      return { tokens: language ? await readCodeTokens(language, text) : [] };
    }
    const file = plain ? parseAsPlainText(path, text) : await parseFile(path, text);
    // Nothing reads the content of a file without chunks, except for manifests.
    const content = file.chunks.length > 0 || isManifest(path) ? text : '';
    const parsed = packFile({ ...file, content });
    const { chunks, texts, facts, references, termCounts } = parsed;
    const columns = [chunks, texts, facts, references, termCounts.offsets, termCounts.entries];
    return markTransfers({ parsed }, columns.map(({ buffer }) => buffer) as ArrayBuffer[]);
  } catch (error) {
    if (error instanceof LocusError) throw error;
    const { name, message } = error as Error;
    // The parser aborts only when it runs out of memory.
    const isFull = name === 'RuntimeError' && message.startsWith('Aborted');
    return { failure: isFull ? OUT_OF_MEMORY : message };
  }
}
