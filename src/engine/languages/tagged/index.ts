/** Languages that are read by the tags of their grammars. Each has a row in `rows.ts`, and a folder here with `tags.scm`. */
import { BUNDLED_GRAMMARS, getCollectedVersion } from '../collected-grammars.ts';
import type { Language } from '../language.ts';
import { createTaggedLanguage } from './language.ts';
import { ROWS } from './rows.ts';

export const taggedLanguages: readonly Language[] = ROWS.map((row) => {
  const { name, grammar, headerPatterns, prepare } = row;
  const [grammarName = '', file = ''] = grammar.split('/');
  const version = getCollectedVersion(grammarName) ?? '';
  const isBundled = grammarName in BUNDLED_GRAMMARS;
  return createTaggedLanguage(row, {
    grammar: isBundled ? new URL(`../grammars/${file}`, import.meta.url).href : grammar,
    folder: new URL(`./${name}/`, import.meta.url),
    version: `${version} ${JSON.stringify(row, writePattern)}`,
    headerPatterns,
    ...(prepare && { prepare }),
  });
});

/** Replaces a pattern in JSON by its source. */
function writePattern(_: string, value: unknown): unknown {
  return value instanceof RegExp ? value.source : value;
}
