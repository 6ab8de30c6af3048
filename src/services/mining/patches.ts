/** What commits change line by line. */
import parseDiff from 'parse-diff';
import { commitRecords } from '../../engine/history/commit-records.ts';
import { languageOf } from '../../engine/languages/index.ts';
import { roleOf } from '../../engine/source/role.ts';
import { type Edit, editsOf, hunksOf } from '../evaluation/truth.ts';
import type { Candidate } from './history.ts';

export interface Patch {
  /** By path before the commit; only modified source files. */
  edits: Map<string, Edit[]>;
  /** Lines added to tests, in the order of the patch. */
  testLines: string[];
  /** Whether sources differ in nothing but white space, quotes, brackets' layout and trailing commas. */
  formattingOnly: boolean;
}

const MAX_TEST_LINES = 30;
/** A longer line is data. */
const MAX_LINE = 200;

/** Bytes of a patch; a commit with a longer one has none. */
const LONGEST_PATCH = 1 << 25;

/**
 * The patches of commits against their parents, by commit id.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function patchesOf(
  root: string,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Map<string, Patch>> {
  const patches = new Map<string, Patch>();
  const wanted = new Map(candidates.map((candidate) => [candidate.commit, candidate]));
  const languages = new Set(
    candidates.flatMap(({ files }) => files.flatMap(({ path }) => languageOf(path) ?? [])),
  );
  const globs = [...languages].flatMap(({ extensions, fileNames }) => [
    ...extensions.map((extension) => `:(glob,icase)**/*${extension}`),
    ...fileNames.map((name) => `:(glob)**/${name}`),
  ]);
  const records = commitRecords(
    root,
    candidates.map(({ commit }) => commit),
    [
      ...['-r', '-p', '-U0', '--no-renames', '--diff-algorithm=myers'],
      ...['--src-prefix=a/', '--dst-prefix=b/', '--format=%x00%H', '--', ...globs],
    ],
    {
      longest: LONGEST_PATCH,
      settings: ['-c', 'core.quotePath=false'],
      signal,
    },
  );
  for await (const { text, cut } of records) {
    const end = text.indexOf('\n');
    const candidate = wanted.get(text.slice(0, end));
    if (candidate && !cut) patches.set(candidate.commit, readPatch(text.slice(end), candidate));
  }
  return patches;
}

function readPatch(text: string, { files }: Candidate): Patch {
  const sources = new Set(files.map(({ path }) => path));
  const edits = new Map<string, Edit[]>();
  for (const [path, hunks] of hunksOf(text)) {
    if (sources.has(path)) edits.set(path, editsOf(hunks));
  }
  const testLines: string[] = [];
  let formattingOnly = true;
  for (const { to, chunks } of parseDiff(text)) {
    if (!to || to === '/dev/null') continue;
    if (sources.has(to)) {
      formattingOnly &&= chunks.every(({ changes }) => changesLayoutOnly(changes));
    } else if (roleOf(to) === 'test') {
      const room = MAX_TEST_LINES - testLines.length;
      testLines.push(...addedLines(chunks.flatMap(({ changes }) => changes)).slice(0, room));
    }
  }
  return { edits, testLines, formattingOnly };
}

function addedLines(changes: readonly parseDiff.Change[]): string[] {
  return changes
    .filter(({ type }) => type === 'add')
    .map(({ content }) => content.slice(1).trimEnd().slice(0, MAX_LINE));
}

/**
 * Whether lines say the same in another layout. Lines that only moved in or out, one for one, are an edit: indentation
 * is syntax.
 */
function changesLayoutOnly(changes: readonly parseDiff.Change[]): boolean {
  const lines = (type: 'add' | 'del') =>
    changes
      .filter((change) => change.type === type && !change.content.startsWith('\\'))
      .map(({ content }) => content.slice(1));
  const [deleted, added] = [lines('del'), lines('add')];
  const squashed = (text: string[]) =>
    text
      .join('')
      .replace(/[\s()\\,]+/g, '')
      .replaceAll("'", '"');
  if (squashed(deleted) !== squashed(added)) return false;
  const reindented =
    deleted.length === added.length &&
    deleted.every((line, i) => line.trim() === added[i]?.trim()) &&
    deleted.some((line, i) => line.trimEnd() !== added[i]?.trimEnd());
  return !reindented;
}
