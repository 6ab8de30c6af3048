import { parserFor } from '../helpers.ts';

/** Chunkers by language. */
export const parsers = {
  vue: await parserFor('vue'),
  svelte: await parserFor('svelte'),
  astro: await parserFor('astro'),
};

/** Pattern of docstrings, which are comments. */
export const COMMENT = /^(?:\/\/|\/\*)/;

/** Returns the language of a file name. */
export function languageOf(name: string): keyof typeof parsers {
  return name.slice(name.indexOf('.') + 1) as keyof typeof parsers;
}
