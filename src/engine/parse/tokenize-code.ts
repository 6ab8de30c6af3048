import type { CodeTokens } from '../../shared/code-tokens.ts';
import { languageOf } from '../languages/index.ts';
import { acquirePool } from './shared-pool.ts';

/** Returns the kinds of the names in a text, in the language of its path. Empty if the language is unsupported. */
export async function tokenizeCode(path: string, text: string): Promise<CodeTokens> {
  if (!languageOf(path)) return [];
  await using use = acquirePool();
  return await use.pool.tokens({ path, text });
}
