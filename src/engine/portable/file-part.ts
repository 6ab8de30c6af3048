/** Encodes parsed files as a part, without the ids of a database. */

import { z } from 'zod';
import { boundedList, wellFormed } from '../../base/bounded-json.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { CHUNK_KINDS } from '../../shared/chunk-kind.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { MAX_PART_BYTES, sharedIndexError } from '../../shared/shared-index.ts';
import { getParserVersion, isIndexedPath, isSourcePath } from '../languages/index.ts';
import { unpackEntries } from '../lexical/packed-counts.ts';
import type { TermCounts } from '../lexical/tokenize.ts';
import { packFile } from '../parse/packed-file.ts';
import type { ParsedChunk } from '../parse/types.ts';
import { MAX_FILE_BYTES } from '../source/limits.ts';
import type { NewFileVersion, StoredTermCounts } from '../store/file-versions.ts';
import type { Store } from '../store/store.ts';
import { parseFacts } from './facts-schema.ts';
import { count, parsePart, plainPath } from './part.ts';

/** Position of the term's number in an entry of term counts, in bits. */
const TERM_BITS = 11;

const MAX_FILES = 100_000;
/** Maximum number of chunks or terms in a file: fewer than it has characters. */
const MAX_CHUNKS = MAX_FILE_BYTES;
/** Maximum number of characters in a chunk's text: those of a file, and added context. */
const MAX_TEXT = 4 * MAX_FILE_BYTES;

const name = wellFormed(MAX_FILE_BYTES);

const chunk = z.strictObject({
  qualifiedName: name,
  ordinal: count,
  name,
  alias: name.optional(),
  cell: count.optional(),
  kind: z.enum(CHUNK_KINDS),
  isTest: z.literal(true).optional(),
  startLine: count,
  endLine: count,
  parent: z.int().min(-1),
  signatureEnd: count,
  doc: z.union([z.tuple([count, count]), z.null()]),
  text: wellFormed(MAX_TEXT),
});

const fileVersion = z.strictObject({
  path: plainPath,
  hash: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  parser: z.string().max(200),
  lines: count,
  errors: count,
  generated: z.boolean(),
  content: wellFormed(MAX_FILE_BYTES),
  facts: wellFormed(MAX_PART_BYTES),
  chunks: boundedList(chunk, MAX_CHUNKS),
  terms: boundedList(
    wellFormed(1000).refine((term) => term !== '' && !term.includes('\n')),
    MAX_CHUNKS,
  ),
  /** 32-bit numbers, little-endian, in Base64. */
  offsets: z.base64(),
  entries: z.base64(),
});

type PortableVersion = z.infer<typeof fileVersion>;

export function encodeFiles(store: Store, versionIds: readonly number[]): Buffer {
  return Buffer.from(JSON.stringify(versionIds.map((id) => toPortable(store, id))));
}

/**
 * Decodes the file versions of a part.
 * @throws LocusError `bad-objects` if this version of Locus could not have written them.
 */
export function decodeFiles(bytes: Buffer): NewFileVersion[] {
  return parsePart(bytes, boundedList(fileVersion, MAX_FILES), 'files').map(fromPortable);
}

function toPortable(store: Store, versionId: number): PortableVersion {
  const { versions } = store;
  const { path, hash, parser, lines, errors, generated } = versions.getInfo(versionId);
  const chunks = versions.getChunks(versionId).map(({ id, ...row }) => {
    const { versionId: _, position: __, length: ___, ...rest } = row;
    return { ...rest, ...versions.getChunkText(id) };
  });
  const { terms, offsets, entries } = renumberTerms(store, versions.getTermCounts(versionId));
  return {
    ...{ path, hash, parser, lines, errors, generated: generated === 1 },
    content: versions.getContent(versionId),
    facts: JSON.stringify({
      ...versions.getFacts(versionId),
      references: versions.getReferences(versionId),
    }),
    chunks,
    terms,
    offsets: encodeWords(offsets),
    entries: encodeWords(entries),
  };
}

/**
 * Replaces the store's term ids by numbers in order of first occurrence. Sorts the entries of a chunk by term, so that they are the
 * same whatever the ids.
 */
function renumberTerms({ terms: known }: Store, counts: StoredTermCounts): TermCounts {
  const numbers = new Map<string, number>();
  const offsets = new Uint32Array(counts.length + 1);
  const own = counts.flatMap((packed, chunk) => {
    const entries = Array.from(unpackEntries(packed), (entry) => {
      const term = assertPresent(known.termOf(entry >>> TERM_BITS), 'a term that is counted');
      return { term, rest: entry & ((1 << TERM_BITS) - 1) };
    });
    offsets[chunk + 1] = (offsets[chunk] ?? 0) + entries.length;
    return entries.sort((a, b) => (a.term === b.term ? a.rest - b.rest : a.term < b.term ? -1 : 1));
  });
  const entries = Uint32Array.from(own, ({ term, rest }) => {
    const number = getOrAdd(numbers, term, () => numbers.size);
    return (number << TERM_BITS) | rest;
  });
  return { terms: [...numbers.keys()], offsets, entries };
}

function fromPortable(file: PortableVersion): NewFileVersion {
  const { path, facts, parser, terms, chunks } = file;
  if (!isIndexedPath(path) || parser !== getParserVersion(path))
    throw sharedIndexError(`${path} was parsed by another version of Locus`);
  if (!parseFacts(facts, file.chunks.length))
    throw sharedIndexError(`the references in ${path} are invalid`);
  // The last line may end without a line break.
  if (file.lines > file.content.length + 1)
    throw sharedIndexError(`${path} has more lines than characters`);
  const termCounts = {
    terms,
    offsets: decodeWords(file.offsets),
    entries: decodeWords(file.entries),
  };
  const hasCode = isSourcePath(path);
  if (chunks.some(({ kind }) => (kind === 'section') === hasCode))
    throw sharedIndexError(`${path} has chunks of a wrong kind`);
  if (!chunks.every((chunk, at) => isValidChunk(chunk, at, file.lines)))
    throw sharedIndexError(`${path} has functions beyond its end`);
  if (!areValidTermCounts(termCounts, chunks.length))
    throw sharedIndexError(`the words of ${path} do not match its functions`);
  const packed = packFile({ ...file, facts: JSON.parse(facts), termCounts });
  return { ...packed, path, hash: file.hash, parser };
}

function isValidChunk(chunk: ParsedChunk, at: number, lines: number): boolean {
  const { startLine, endLine, parent, signatureEnd, doc, text } = chunk;
  const [docStart, docEnd] = doc ?? [0, 0];
  return (
    startLine >= 1 &&
    (startLine <= endLine || at === 0) &&
    endLine <= lines &&
    parent < at &&
    signatureEnd <= text.length &&
    docStart <= docEnd &&
    docEnd <= text.length
  );
}

function areValidTermCounts({ terms, offsets, entries }: TermCounts, chunks: number): boolean {
  return (
    offsets.length === chunks + 1 &&
    offsets[0] === 0 &&
    offsets.every((offset, i) => i === 0 || offset >= (offsets[i - 1] ?? 0)) &&
    offsets.at(-1) === entries.length &&
    entries.every((entry) => entry >>> TERM_BITS < terms.length)
  );
}

const encodeWords = ({ buffer, byteOffset, byteLength }: Uint32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** Decodes 32-bit numbers. Returns none if the length is not a multiple of four bytes. */
function decodeWords(base64: string): Uint32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return bytes.length % 4 === 0 ? new Uint32Array(bytes.buffer) : new Uint32Array();
}
