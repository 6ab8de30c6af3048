/** Parses one file, in whichever thread this runs. */

import { LocusError } from '../../shared/errors.ts';
import { quoted } from '../../shared/quoted.ts';
import { isManifest, languageOf, manifestLanguageOf } from '../languages/index.ts';
import { countTerms } from '../lexical/tokenize.ts';
import { type ChunkedSource, chunkSource, plainSource } from './chunk.ts';
import { grammarOf } from './grammar.ts';
import { readManifest, unreadManifest } from './manifest.ts';
import type { ParsedFile } from './types.ts';
import { isMinified, saysGenerated } from './written-by-tools.ts';

const PLAIN_TAB_WIDTH = 8;

/**
 * Chunks, facts and words of a file. A minified one is a single chunk, as its definitions have no lines of their own.
 * @param path relative, with forward slashes; its name tells the language
 * @throws LocusError `bad-input` for a path of no known language; anything else is the parser failing on this text
 */
export async function parseFile(path: string, text: string): Promise<ParsedFile> {
  const language = languageOf(path);
  if (!language) {
    const manifest = manifestLanguageOf(path)?.graph.manifests;
    if (isManifest(path)) return readManifest(async () => (await manifest?.read(path, text)) ?? []);
    throw new LocusError(
      'bad-input',
      `${quoted(path)} is in no language Locus reads.`,
      'Offer only paths that indexes() takes.',
    );
  }
  if (language.files.minified && isMinified(text)) {
    const source = { ...plainSource(text, language.layout.tabWidth), errors: 0 };
    return completed(path, source, true);
  }
  return completed(path, chunkSource(await grammarOf(language), text), saysGenerated(text));
}

/** The file as plain text: one module chunk and `errors` 1, for files on which `parseFile` failed. A manifest says nothing. */
export function parsePlain(path: string, text: string): ParsedFile {
  const language = languageOf(path);
  if (isManifest(path)) return unreadManifest();
  const tabWidth = language?.layout.tabWidth ?? PLAIN_TAB_WIDTH;
  return completed(path, plainSource(text, tabWidth), saysGenerated(text));
}

function completed(path: string, source: ChunkedSource, generated: boolean): ParsedFile {
  const { initials } = languageOf(path)?.names ?? {};
  return { ...source, generated, termCounts: countTerms(path, source.chunks, initials) };
}
