/** The names in a piece of code, for the colours of the window that shows it. */
import { languageOf } from '../engine/languages/index.ts';
import { borrowPool } from '../engine/parse/shared-pool.ts';
import type { CodeTokens } from '../shared/code-tokens.ts';

/** What the names in a text are, by the language of its path; none in one that Locus does not read. */
export async function tokensOf(path: string, text: string): Promise<CodeTokens> {
  if (!languageOf(path)) return [];
  const { pool, giveBack } = borrowPool();
  try {
    return await pool.tokens({ path, text });
  } finally {
    await giveBack();
  }
}
