/** Parses one file, in whichever thread this runs. */

import { LocusError } from '../../shared/errors.ts';
import { languageOf, manifestLanguageOf } from '../languages/index.ts';
import { countTerms } from '../lexical/tokenize.ts';
import { type ChunkedSource, chunkSource, plainSource } from './chunk.ts';
import { grammarOf } from './grammar.ts';
import { readManifest, unreadManifest } from './manifest.ts';
import type { ParsedFile } from './types.ts';

const PLAIN_TAB_WIDTH = 8;

/**
 * Chunks, facts and words of a file.
 * @param path relative, with forward slashes; its name tells the language
 * @throws LocusError `bad-input` for a path of no known language; anything else is the parser failing on this text
 */
export async function parseFile(path: string, text: string): Promise<ParsedFile> {
  const language = languageOf(path);
  if (!language) {
    const manifest = manifestLanguageOf(path)?.graph.manifests;
    if (manifest) return readManifest(() => manifest.read(path, text));
    throw new LocusError(
      'bad-input',
      `${path} is in no language Locus reads.`,
      'Offer only paths that indexes() takes.',
    );
  }
  return withTermCounts(path, chunkSource(await grammarOf(language), text));
}

/** The file as plain text: one module chunk and `errors` 1, for files on which `parseFile` failed. A manifest says nothing. */
export function parsePlain(path: string, text: string): ParsedFile {
  const language = languageOf(path);
  if (!language && manifestLanguageOf(path)) return unreadManifest();
  return withTermCounts(path, plainSource(text, language?.layout.tabWidth ?? PLAIN_TAB_WIDTH));
}

function withTermCounts(path: string, source: ChunkedSource): ParsedFile {
  return { ...source, termCounts: countTerms(path, source.chunks) };
}
