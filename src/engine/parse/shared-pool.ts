/** One pool of parser threads for all repositories that are open: each thread has grammars and queries of its own in memory. */
import { ParserPool } from './pool.ts';

let pool: ParserPool | null = null;
let borrowers = 0;

/** What of a pool its borrowers use. */
export interface LentPool {
  pool: Pick<ParserPool, 'parse' | 'tokens' | 'warm' | 'size' | 'rest'>;
  /** Who is the last ends the threads. Nobody may be parsing with what is given back. */
  giveBack(): Promise<void>;
}

export function borrowPool(): LentPool {
  pool ??= new ParserPool();
  const lent = pool;
  borrowers++;
  let given = false;
  const giveBack = async () => {
    if (given) return;
    given = true;
    if (--borrowers > 0) return;
    pool = null;
    await lent.close();
  };
  return { pool: lent, giveBack };
}
