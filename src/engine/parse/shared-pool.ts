/** One pool of parser threads for all repositories that are open: each thread has grammars and queries of its own in memory. */
import { ParserPool } from './pool.ts';

let pool: ParserPool | null = null;
let uses = 0;

/** A use of the shared pool. Nobody may be parsing with it when it is disposed of; the last one ends the threads. */
export interface PoolUse extends AsyncDisposable {
  pool: Pick<ParserPool, 'parse' | 'tokens' | 'warm' | 'size' | 'rest'>;
}

export function acquirePool(): PoolUse {
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
