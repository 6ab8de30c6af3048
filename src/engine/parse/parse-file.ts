import { badInput } from '../../shared/errors.ts';
import { quoted } from '../../shared/quoted.ts';
import type { ManifestEntry, ManifestFacts } from '../languages/facts.ts';
import { isManifest, languageOf, manifestLanguageOf } from '../languages/index.ts';
import { countTerms } from '../lexical/tokenize.ts';
import { type ChunkedSource, chunkSource, plainSource } from './chunk.ts';
import { grammarOf } from './grammar.ts';
import type { ParsedFile } from './types.ts';
import { isMinified, saysGenerated } from './written-by-tools.ts';

const PLAIN_TAB_WIDTH = 8;
/** Problem of a manifest on which its reader failed for want of time or memory. */
const UNREADABLE = 'reading it takes too long, or too much memory';

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
    throw badInput(
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
  if (isManifest(path)) return manifestFile({ entries: [], problem: UNREADABLE });
  const tabWidth = language?.layout.tabWidth ?? PLAIN_TAB_WIDTH;
  return completed(path, plainSource(text, tabWidth), saysGenerated(text));
}

function completed(path: string, source: ChunkedSource, generated: boolean): ParsedFile {
  const { initials } = languageOf(path)?.names ?? {};
  return { ...source, generated, termCounts: countTerms(path, source.chunks, initials) };
}

/** Limits on the entries of one manifest, and on a name in it in UTF-16 units. Resolving an import may look at all entries. */
const MOST_ENTRIES = 2_000;
const MOST_TARGETS = 64;
const LONGEST_NAME = 1_000;
const LONGEST_CAUSE = 200;

/** A manifest as a file without chunks; one that cannot be read, as `read` says by what it throws, says nothing. */
async function readManifest(read: () => Promise<ManifestEntry[]>): Promise<ParsedFile> {
  try {
    const all = await read();
    const entries = all.filter(isShort).slice(0, MOST_ENTRIES);
    const left = all.length - entries.length;
    const problem = left === 0 ? null : `${left} of its entries are too long or too many`;
    return manifestFile({ entries, problem });
  } catch (error) {
    const [cause = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return manifestFile({ entries: [], problem: cause.slice(0, LONGEST_CAUSE) });
  }
}

function isShort({ name, to }: ManifestEntry): boolean {
  return to.length <= MOST_TARGETS && [name, ...to].every((text) => text.length <= LONGEST_NAME);
}

function manifestFile(manifest: ManifestFacts): ParsedFile {
  return {
    chunks: [],
    facts: { imports: [], bindings: [], references: [], manifest },
    termCounts: { terms: [], offsets: new Uint32Array(1), entries: new Uint32Array(0) },
    lines: 0,
    generated: false,
    errors: manifest.problem === null ? 0 : 1,
  };
}
