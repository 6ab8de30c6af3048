/** One pool of parser threads for all open repositories, since each thread has its own grammars and queries in memory. */

import type { CodeTokens } from '../../shared/code-tokens.ts';
import { findLanguage } from '../languages/index.ts';
import { ParserPool } from './pool.ts';

/** Returns the kinds of the names in a text, in the language of its path. Empty if the language is unsupported. */
export async function tokenizeCode(path: string, text: string): Promise<CodeTokens> {
  if (!findLanguage(path)) return [];
  await using use = acquirePool();
  return await use.pool.tokenize({ path, text });
}

let pool: ParserPool | null = null;
let uses = 0;

/** Acquired use of the shared pool. Must not be disposed of while it is parsing. Disposal of the last one stops the threads. */
export interface AcquiredPool extends AsyncDisposable {
  pool: Pick<
    ParserPool,
    'parse' | 'tokenize' | 'startThread' | 'warmUp' | 'size' | 'stopIdleThreads'
  >;
}

export function acquirePool(): AcquiredPool {
  pool ??= new ParserPool();
  const shared = pool;
  uses++;
  let isDisposed = false;
  return {
    pool: shared,
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      if (--uses > 0) return;
      pool = null;
      await shared.close();
    },
  };
}
