import { isMinified } from '../../base/minified.ts';
import { badInput } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import type { ManifestEntry, ManifestFacts } from '../languages/facts.ts';
import {
  findLanguage,
  findManifestLanguage,
  isIndexedPath,
  isManifest,
} from '../languages/index.ts';
import { SourceLines } from '../languages/layout/lines.ts';
import { countTerms } from '../lexical/tokenize.ts';
import { type ChunkedSource, chunkPlainText, chunkSource } from './chunk.ts';
import { hasGeneratedNotice } from './generated-code.ts';
import { loadGrammar } from './grammar.ts';
import { addFileRegistrations } from './registrations.ts';
import { createSections } from './sections.ts';
import type { ParsedFile } from './types.ts';
import { addFileAlias } from './unnamed.ts';

const PLAIN_TAB_WIDTH = 8;
/** Problem of a manifest whose reader ran out of time or memory. */
const UNREADABLE_MANIFEST = 'reading it takes too long or too much memory';

/**
 * Parses a file into chunks, facts and terms. A minified file is a single chunk, as its definitions share lines.
 * @param path relative, with forward slashes; its name tells the language
 * @throws LocusError `bad-input` for an unsupported language; any other error means that the parser failed on this text
 */
export async function parseFile(path: string, text: string): Promise<ParsedFile> {
  const language = findLanguage(path);
  if (!language) {
    if (isIndexedPath(path)) return readFileWithoutCode(path, text);
    throw badInput(
      `The language of ${quoteText(path)} is not supported.`,
      'The supported languages are listed in docs/reference/languages.md.',
    );
  }
  if (language.files.minified && isMinified(text)) {
    const source = { ...chunkPlainText(text, language.layout.tabWidth), errors: 0 };
    return completeFile(path, source, true);
  }
  const source = chunkSource(await loadGrammar(language), text);
  addFileAlias(language, path, source.chunks);
  addFileRegistrations(language, path, source);
  return completeFile(path, source, hasGeneratedNotice(text));
}

/**
 * Makes a file on which `parseFile` failed one module chunk of plain text, with `errors` 1. A file without code gets no chunks, and
 * no entries of a manifest.
 */
export function parseAsPlainText(path: string, text: string): ParsedFile {
  const language = findLanguage(path);
  if (!language && isIndexedPath(path)) {
    const manifest = isManifest(path) ? { entries: [], problem: UNREADABLE_MANIFEST } : undefined;
    return createFileWithoutCode(path, { chunks: [], lines: 0, generated: false, manifest });
  }
  const tabWidth = language?.layout.tabWidth ?? PLAIN_TAB_WIDTH;
  return completeFile(path, chunkPlainText(text, tabWidth), hasGeneratedNotice(text));
}

function completeFile(path: string, source: ChunkedSource, generated: boolean): ParsedFile {
  const { initials } = findLanguage(path)?.names ?? {};
  return { ...source, generated, termCounts: countTerms(path, source.chunks, initials) };
}

/** Limits for one manifest, since resolving an import may look at all entries. Names and causes are in UTF-16 units. */
const MAX_ENTRIES = 2_000;
const MAX_TARGETS = 64;
const MAX_NAME = 1_000;
const MAX_CAUSE = 200;

/** Reads the sections of a file without code, and its entries if it is a manifest. */
async function readFileWithoutCode(path: string, text: string): Promise<ParsedFile> {
  const chunks = createSections(path, text);
  return createFileWithoutCode(path, {
    chunks,
    lines: new SourceLines(text, PLAIN_TAB_WIDTH).count,
    generated: chunks.length > 0 && hasGeneratedNotice(text),
    manifest: isManifest(path) ? await readManifest(path, text) : undefined,
  });
}

/** Reads a manifest. If that fails, it has no entries, and its problem is the error's first line. */
async function readManifest(path: string, text: string): Promise<ManifestFacts> {
  try {
    const all = (await findManifestLanguage(path)?.graph.manifests?.read(path, text)) ?? [];
    const entries = all.filter(isWithinLimits).slice(0, MAX_ENTRIES);
    const dropped = all.length - entries.length;
    const problem = dropped === 0 ? null : `${dropped} of its entries are too long or too many`;
    return { entries, problem };
  } catch (error) {
    const [cause = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { entries: [], problem: cause.slice(0, MAX_CAUSE) };
  }
}

function isWithinLimits({ name, to }: ManifestEntry): boolean {
  return to.length <= MAX_TARGETS && [name, ...to].every((text) => text.length <= MAX_NAME);
}

function createFileWithoutCode(
  path: string,
  file: Pick<ParsedFile, 'chunks' | 'lines' | 'generated'> & {
    manifest: ManifestFacts | undefined;
  },
): ParsedFile {
  const { manifest, ...read } = file;
  return {
    ...read,
    facts: { imports: [], bindings: [], references: [], ...(manifest && { manifest }) },
    termCounts: countTerms(path, read.chunks),
    errors: manifest?.problem == null ? 0 : 1,
  };
}
