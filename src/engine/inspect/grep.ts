import { findRipgrep, type RipgrepMatch, searchTexts } from '../../base/ripgrep.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { FileRole } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { GrepResponse, MatchingLine } from '../../shared/grep.ts';
import type { ValidQueryRequest } from '../../shared/queries.ts';
import { sortMatchingFiles, sortMatchingFunctions } from '../../shared/sort-matches.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { shortenLine } from './shorten-line.ts';

/** Milliseconds in which files are sent to ripgrep. The largest repositories take longer; the response then says so. */
const MAX_MS = 10_000;
/** Maximum number of matches that are counted. */
const MAX_MATCHES = 200_000;
/** Maximum number of matches of a line that are shown. */
const MAX_SPANS = 50;
/** Maximum number of searches for one request, if the index changes meanwhile. */
const MAX_ATTEMPTS = 5;

type Request = ValidQueryRequest<'grep'>;

/** Repository and index that a search reads. */
export interface GrepSource {
  /** Folder of the repository, in which no program is used. */
  root: string;
  store: Store;
  getIndex(): RepositoryIndex;
  /** Returns true for the path of a file to search. */
  includes(path: string): boolean;
  /** Returns a sentence about files that are not in the index; null if there are none. */
  describeUnread(): string | null;
}

interface IncludedFile {
  path: string;
  role: FileRole;
  versionId: number;
}

/** A file of the index, and its position in the texts that ripgrep gets. */
interface SearchedFile extends IncludedFile {
  /** Byte and 1-based line at which it starts. */
  offset: number;
  line: number;
}

/** Matches of one file by line, 1-based. */
type MatchesByLine = Map<number, RipgrepMatch[]>;

/**
 * Finds exact text or a regular expression in the files of an index, as they were indexed.
 * @throws LocusError `bad-input` for an invalid pattern, `not-found` without ripgrep, `busy` if the index keeps changing, `cancelled`
 */
export async function grepIndex(
  source: GrepSource,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<GrepResponse> {
  const { store } = source;
  const program = await findRipgrep(source.root);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const index = source.getIndex();
    const { edits } = index;
    const isCurrent = () => source.getIndex() === index && index.edits === edits;
    try {
      const files = listFiles(index, source.includes);
      const found = await findMatches(program, index, store, files, request, signal);
      if (!isCurrent()) continue;
      const notes = [found.note, source.describeUnread()].filter((note) => note !== null);
      return { ...respond(index, store, request, found), note: notes.join(' ') || null };
    } catch (error) {
      // The text of a file that changed meanwhile may be gone.
      if (error instanceof LocusError || isCurrent()) throw error;
    }
  }
  throw new LocusError('busy', 'The index kept changing during the search.', 'Search again.');
}

interface Found {
  /** Names that match: true if the whole name does. By slot. */
  names: Map<number, boolean>;
  /** Matches by file, in order of the search. */
  files: Map<SearchedFile, MatchesByLine>;
  matches: number;
  searched: number;
  note: string | null;
}

/** Searches the names of all chunks, one a line, and then the files. Source files come first, in case the time is not enough. */
async function findMatches(
  program: string,
  index: RepositoryIndex,
  store: Store,
  files: readonly IncludedFile[],
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const named = listNamed(index);
  const names = Buffer.from(`${named.map(({ name }) => name).join('\n')}\n`);
  const sent: SearchedFile[] = [];
  const found: Found = { names: new Map(), files: new Map(), matches: 0, searched: 0, note: null };
  function* texts(): Generator<Uint8Array[]> {
    yield [names];
    const next = { offset: names.length, line: named.length + 1 };
    for (const file of files) {
      const content = store.versions.getContentBytes(file.versionId);
      const text = content.at(-1) === LINE_FEED ? [content] : [content, END_OF_LINE];
      sent.push({ ...file, ...next });
      next.line += countLines(content) + text.length - 1;
      next.offset += content.length + text.length - 1;
      yield text;
    }
  }
  let at = 0;
  const onMatch = (match: RipgrepMatch): boolean => {
    if (match.offset < names.length) {
      const { slot, name } = assertPresent(named[match.line - 1], 'the name in a line');
      const isWhole = match.length === Buffer.byteLength(name);
      found.names.set(slot, isWhole || (found.names.get(slot) ?? false));
      return true;
    }
    if (found.matches === MAX_MATCHES) return false;
    while ((sent[at + 1]?.offset ?? Number.POSITIVE_INFINITY) <= match.offset) at++;
    const file = assertPresent(sent[at], 'the file of a match');
    const lines = getOrAdd(found.files, file, (): MatchesByLine => new Map());
    getOrAdd(lines, match.line - file.line + 1, () => []).push(match);
    found.matches++;
    return true;
  };
  const options = { signal, milliseconds: MAX_MS, onMatch };
  const { sent: count, isComplete } = await searchTexts(program, request, texts(), options);
  found.searched = isComplete ? count - 1 : Math.min(at + 1, sent.length);
  const part = `${formatCount(found.searched)} of ${formatCount(files.length)} files`;
  if (!isComplete && found.matches === MAX_MATCHES)
    found.note = `Stopped at ${formatCount(MAX_MATCHES)} matches, after ${part}.`;
  else if (!isComplete || found.searched < files.length)
    found.note = `Stopped after ${MAX_MS / 1000} seconds, after ${part}.`;
  return found;
}

const LINE_FEED = 0x0a;
const END_OF_LINE = Uint8Array.of(LINE_FEED);

function countLines(content: Uint8Array): number {
  let lines = 0;
  for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1))
    lines++;
  return lines;
}

/** Returns the definitions that have a name of their own. A name with a line break cannot match. */
function listNamed(index: RepositoryIndex): { slot: number; name: string }[] {
  const named: { slot: number; name: string }[] = [];
  for (let slot = 0; slot < index.chunks.length; slot++) {
    const chunk = index.getChunkOrNull(slot);
    if (chunk && chunk.kind !== 'module' && !chunk.name.includes('\n'))
      named.push({ slot, name: chunk.name });
  }
  return named;
}

/** Lists files in order of the search: by path, source files first. */
function listFiles(index: RepositoryIndex, includes: GrepSource['includes']): IncludedFile[] {
  const files = index
    .getAllPaths()
    .filter(includes)
    .sort()
    .map((path) => {
      const { role, versionId } = assertPresent(index.getFile(path), 'an indexed file');
      return { path, role, versionId };
    });
  const [source, others] = [true, false].map((isSource) =>
    files.filter(({ role }) => (role === 'source') === isSource),
  );
  return [...(source ?? []), ...(others ?? [])];
}

/** Lines with matches: of a chunk, or of a file outside its definitions. */
interface Group {
  file: SearchedFile;
  lines: number[];
}

function respond(
  index: RepositoryIndex,
  store: Store,
  { limit, lines: maxLines }: Request,
  { names, files, matches, searched }: Found,
): Omit<GrepResponse, 'note'> {
  const bySlot = new Map<number, Group>();
  const outside: Group[] = [];
  let lineCount = 0;
  for (const [file, byLine] of files) {
    const findSlot = createSlotFinder(index, file.path);
    const rest: Group = { file, lines: [] };
    for (const line of byLine.keys()) {
      const slot = findSlot(line);
      const group = slot === null ? rest : getOrAdd(bySlot, slot, () => ({ file, lines: [] }));
      group.lines.push(line);
      lineCount++;
    }
    if (rest.lines.length > 0) outside.push(rest);
  }
  const readLines = createLineReader(store, files);
  const show = ({ file, lines }: Group) => ({
    lines: readLines(file, lines.slice(0, maxLines)),
    hidden: Math.max(0, lines.length - maxLines),
  });
  const functions = sortMatchingFunctions(
    Array.from(bySlot, ([slot, group]) => describe(index, slot, group, names)),
  ).slice(0, limit);
  const others = sortMatchingFiles(
    outside.map((group) => ({ path: group.file.path, role: group.file.role, group })),
  ).slice(0, limit);
  return {
    functions: functions.map(({ slot, group, named, callers }) => {
      return { ...summarizeChunk(index.getChunk(slot)), ...show(group), named, callers };
    }),
    files: others.map(({ path, role, group }) => ({ path, role, ...show(group) })),
    total: {
      matches,
      lines: lineCount,
      functions: bySlot.size,
      outside: outside.length,
      files: files.size,
      searched,
    },
  };
}

/** Describes a chunk as far as its rank needs it, since a common word is in tens of thousands. */
function describe(index: RepositoryIndex, slot: number, group: Group, names: Found['names']) {
  const { path, role, startLine, endLine } = index.getChunk(slot);
  const isWhole = names.get(slot);
  const named = isWhole === undefined ? 'none' : isWhole ? 'whole' : 'part';
  const callers = new Set(index.getCallers(slot).map((caller) => caller.slot)).size;
  return { path, role, startLine, endLine, named, callers, slot, group } as const;
}

/** Returns a function that finds the innermost definition at a line (1-based); null outside of all. */
function createSlotFinder(index: RepositoryIndex, path: string): (line: number) => number | null {
  const chunks = index
    .getSlotsByPath(path)
    .map((slot) => ({ slot, chunk: index.getChunk(slot) }))
    .filter(({ chunk }) => chunk.kind !== 'module');
  const last = chunks.reduce((max, { chunk }) => Math.max(max, chunk.endLine), 0);
  const slots = new Int32Array(last + 1).fill(-1);
  // A nested definition comes after the one around it.
  for (const { slot, chunk } of chunks) slots.fill(slot, chunk.startLine, chunk.endLine + 1);
  return (line) => {
    const slot = slots[line] ?? -1;
    return slot < 0 ? null : slot;
  };
}

/** Returns a function that reads matching lines of a file. */
function createLineReader(store: Store, files: Found['files']) {
  const contents = new Map<SearchedFile, Buffer>();
  return (file: SearchedFile, lines: readonly number[]): MatchingLine[] => {
    const content = getOrAdd(contents, file, () =>
      Buffer.from(store.versions.getContentBytes(file.versionId)),
    );
    const byLine = assertPresent(files.get(file), 'the matches of a file');
    return lines.map((line) => {
      const matches = assertPresent(byLine.get(line), 'the matches of a line');
      const first = assertPresent(matches[0], 'a match').offset - file.offset;
      const start = first === 0 ? 0 : content.lastIndexOf(LINE_FEED, first - 1) + 1;
      const end = content.indexOf(LINE_FEED, first);
      const bytes = content.subarray(start, end < 0 ? content.length : end);
      const spans = toSpans(bytes, file.offset + start, matches.slice(0, MAX_SPANS));
      return { line, ...shortenLine(bytes.toString('utf8'), spans) };
    });
  };
}

/** Converts matches in a line to UTF-16 units of the line. @param start position of the line in the input, in bytes */
function toSpans(line: Buffer, start: number, matches: readonly RipgrepMatch[]) {
  let [byte, unit] = [0, 0];
  const toUnit = (offset: number): number => {
    unit += line.toString('utf8', byte, offset - start).length;
    byte = offset - start;
    return unit;
  };
  return matches.map(({ offset, length }): [start: number, end: number] => [
    toUnit(offset),
    toUnit(offset + length),
  ]);
}
