/** Selects files by the repository's own rules: `.locusignore` leaves files out, `.locusinclude` adds files that git ignores. */
import { join } from 'node:path';
import { readSmallFile, type SmallFile } from '../../base/git/special-files.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import {
  createExclusion,
  type ExclusionFilter,
  isMatchable,
  makeMatcher,
  splitLines,
} from './gitignore.ts';
import { MAX_IGNORE_FILE_BYTES, MAX_SELECTION_RULES } from './limits.ts';

/** Names of the files with rules, at the root. */
export const LEFT_OUT_FILE = '.locusignore';
const INCLUDED_FILE = '.locusinclude';

export function isSelectionFile(path: string): boolean {
  return path === LEFT_OUT_FILE || path === INCLUDED_FILE;
}

/** Returns sentences about files with rules that are not applied, for people. */
export function describeUnappliedRules(skipped: readonly SkippedFile[]): string[] {
  return skipped
    .filter(({ path, reason }) => reason === 'unreadable' && isSelectionFile(path))
    .map(({ path, detail }) => `${path} was not read: ${detail}.`);
}

/** Files of a tree that are left out, and files that are added although git ignores them. */
export interface FileSelection {
  readonly excludes: ExclusionFilter;
  /** Files with rules that are not applied, or only in part. */
  readonly unreadable: readonly SkippedFile[];
  /** True if git's ignored files have to be listed. */
  readonly hasIncluded: boolean;
  /** Returns true for a file or folder that is included although git ignores it. Folders end in a slash. */
  includes(path: string): boolean;
  /** Returns true if an ignored folder may contain included files. Its path has no slash at the end. */
  entersIgnored(folder: string): boolean;
  /** Returns the topmost folders in an ignored folder that can contain included files; the folder itself if it may be all of it. */
  narrow(folder: string): string[];
}

/**
 * Reads the rules of a folder on disk. Follows no links, and never waits or throws.
 * @param excludes the user's own exclusions
 */
export function readSelection(root: string, excludes: ExclusionFilter): FileSelection {
  const read = (name: string) =>
    readSmallFile(join(root, name), MAX_IGNORE_FILE_BYTES, { followLinks: false });
  return createSelection(excludes, read(LEFT_OUT_FILE), read(INCLUDED_FILE));
}

/** Creates the selection of a tree from the contents of its files with rules; null for a missing file. */
export function createSelection(
  excludes: ExclusionFilter,
  leftOutFile: SmallFile,
  includedFile: SmallFile,
): FileSelection {
  const unreadable: SkippedFile[] = [];
  const getRules = (name: string, file: SmallFile): string[] => {
    const { rules, problem } = parseRules(file);
    if (problem !== null)
      unreadable.push({
        path: name,
        reason: 'unreadable',
        detail: `its rules are not applied: ${problem}`,
      });
    return rules;
  };
  const leavesOut = createExclusion(
    getRules(LEFT_OUT_FILE, leftOutFile),
    (pattern) => `left out by ${LEFT_OUT_FILE}, pattern ${pattern}`,
  );
  const included = getRules(INCLUDED_FILE, includedFile);
  const matcher = makeMatcher(included);
  const bases = included.flatMap(findBase);
  const includes = (path: string) => included.length > 0 && matcher.ignores(path);
  const isInBase = (folder: string) =>
    bases.some((base) => base === folder || folder.startsWith(`${base}/`));
  return {
    excludes: (path) => excludes(path) ?? leavesOut(path),
    unreadable,
    hasIncluded: included.length > 0,
    includes,
    entersIgnored: (folder) =>
      includes(`${folder}/`) ||
      isInBase(folder) ||
      bases.some((base) => base.startsWith(`${folder}/`)),
    narrow: (folder) =>
      includes(`${folder}/`) || isInBase(folder)
        ? [folder]
        : bases.filter((base) => base.startsWith(`${folder}/`)),
  };
}

function parseRules(file: SmallFile): { rules: string[]; problem: string | null } {
  if (file === null) return { rules: [], problem: null };
  if ('problem' in file) return { rules: [], problem: file.problem };
  const rules = splitLines(file.text.replace(/^\ufeff/, '')).filter(
    (line) => line.trim() !== '' && !line.startsWith('#'),
  );
  if (rules.length > MAX_SELECTION_RULES)
    return { rules: [], problem: `${rules.length} patterns, of at most ${MAX_SELECTION_RULES}` };
  const slow = rules.find((rule) => !isMatchable(rule));
  const problem = slow === undefined ? null : `a pattern is too long or has more than three \`**\``;
  return { rules: slow === undefined ? rules : [], problem };
}

/**
 * Returns the folder or file that a pattern names from the root, without its wildcards: `build/gen` for `/build/gen/*.py`. A pattern
 * that can match at any depth has none, so it finds nothing in an ignored folder such as `node_modules`.
 */
function findBase(pattern: string): string[] {
  const body = pattern.trimEnd().replace(/\/$/, '');
  if (body.startsWith('!') || !body.includes('/')) return [];
  const segments = body.replace(/^\//, '').split('/');
  if (segments.includes('..')) return [];
  const wild = segments.findIndex((segment) => /[*?[\\]/.test(segment));
  const base = segments.slice(0, wild < 0 ? segments.length : wild).join('/');
  return base === '' ? [] : [base];
}
