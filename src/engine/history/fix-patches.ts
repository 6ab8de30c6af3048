import { findEdits, type LineEdit } from '../../base/edited-chunks.ts';
import type { FileDiff, Hunk, LineMark } from '../../base/unified-diff.ts';
import { findLanguage, listPathspecs } from '../languages/index.ts';
import { inferRole } from '../source/role.ts';
import type { FixCandidate } from './fix-candidates.ts';
import { readPatches } from './read-history.ts';

export interface FixPatch {
  /** Edits by the path before the commit; only modified source files. */
  edits: Map<string, LineEdit[]>;
  /** Lines added to tests, in the order of the patch. */
  testLines: string[];
  /** True if sources differ only in white space, quotes, layout of brackets and trailing commas. */
  formattingOnly: boolean;
}

const MAX_TEST_LINES = 30;
/** A longer line is data rather than code. */
const MAX_LINE = 200;

/**
 * Reads the patches of commits against their parents, by commit id.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function readFixPatches(
  root: string,
  candidates: readonly FixCandidate[],
  signal?: AbortSignal,
): Promise<Map<string, FixPatch>> {
  const patches = new Map<string, FixPatch>();
  const wanted = new Map(candidates.map((candidate) => [candidate.commit, candidate]));
  const languages = new Set(
    candidates.flatMap(({ files }) => files.flatMap(({ path }) => findLanguage(path) ?? [])),
  );
  const globs = listPathspecs(languages);
  const options = { signal, merges: candidates.some(({ isIssue }) => isIssue) };
  for await (const { commit, files } of readPatches(root, [...wanted.keys()], globs, options)) {
    const candidate = wanted.get(commit);
    if (candidate) patches.set(commit, createPatch(files, candidate));
  }
  return patches;
}

function createPatch(diffs: readonly FileDiff[], { files }: FixCandidate): FixPatch {
  const sources = new Set(files.map(({ path }) => path));
  const edits = new Map<string, LineEdit[]>();
  const testLines: string[] = [];
  let formattingOnly = true;
  for (const { from, to, hunks } of diffs) {
    if (from && sources.has(from)) edits.set(from, findEdits(hunks));
    if (!to) continue;
    if (sources.has(to)) {
      formattingOnly &&= hunks.every((hunk) => changesFormattingOnly(to, hunk));
    } else if (inferRole(to) === 'test') {
      const room = MAX_TEST_LINES - testLines.length;
      testLines.push(...hunks.flatMap(getAddedLines).slice(0, room));
    }
  }
  return { edits, testLines, formattingOnly };
}

const getLines = ({ lines }: Hunk, mark: LineMark): string[] =>
  lines.filter((line) => line.mark === mark).map(({ text }) => text);

/** Returns added lines, including git's remark about a missing final line feed: training data has always had it. */
function getAddedLines({ lines }: Hunk): string[] {
  return lines
    .filter(({ mark }, i) => (mark === '\\' ? lines[i - 1]?.mark : mark) === '+')
    .map(({ text }) => text.trimEnd().slice(0, MAX_LINE));
}

/** Returns true if a hunk changes only the formatting of code. */
function changesFormattingOnly(path: string, hunk: Hunk): boolean {
  const language = findLanguage(path);
  return language?.text.isFormattingOnly(getLines(hunk, '-'), getLines(hunk, '+')) ?? false;
}
