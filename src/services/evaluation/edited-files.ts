/**
 * Finds the files that a fix edits, of any kind. The rules look at paths only, not at the languages that Locus reads, so all
 * versions of Locus agree on them.
 */
import { basename, dirname, extname } from 'node:path/posix';
import { type FileDiff, parseDiff } from '../../base/unified-diff.ts';

/** Reasons why an edited file is left out. */
export type LeftOutKind = 'test' | 'changelog' | 'tool';

export interface EditedFiles {
  /** Paths before the fix. */
  paths: string[];
  /** Numbers of edited files that are left out: tests, changelogs, and files that a tool writes or copies. */
  leftOut: Record<LeftOutKind, number>;
  /** Number of files that the fix adds, which no ranking can contain. */
  added: number;
}

/**
 * Returns the files that a patch edits, deletes or moves. Binary files, submodules and paths that git quotes are not counted at
 * all.
 */
export function findEditedFiles(patch: string): EditedFiles {
  const diffs = parseDiff(patch).filter((diff) => diff.from !== '' && !isSubmodule(diff));
  const before = [...new Set(diffs.flatMap(({ from }) => from ?? []))];
  const byKind = Object.groupBy(before, (path) => getLeftOutKind(path) ?? 'counted');
  const count = (kind: LeftOutKind) => byKind[kind]?.length ?? 0;
  return {
    paths: byKind.counted ?? [],
    leftOut: { test: count('test'), changelog: count('changelog'), tool: count('tool') },
    added: diffs.filter(({ from, to }) => from === null && to && !getLeftOutKind(to)).length,
  };
}

/** Returns the reason why an edited file is left out, by its path; null if it counts. */
export function getLeftOutKind(path: string): LeftOutKind | null {
  if (isTest(path)) return 'test';
  if (isChangelog(path)) return 'changelog';
  return TOOL_FILES.test(`/${path}`) ? 'tool' : null;
}

/** Returns the extension of a path in lower case, such as `.vue`, or its name if it has none, such as `Dockerfile`. */
export function getFileKind(path: string): string {
  return extname(path).toLowerCase() || basename(path);
}

function isSubmodule({ hunks }: FileDiff): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return lines.length > 0 && lines.every(({ text }) => text.startsWith('Subproject commit '));
}

const TEST_FOLDERS =
  /^\/(?:test|testing|spec)\/|\/(?:src\/(?:[^/]+\/)?(?:sys)?test|src\/(?:androidTest|integrationTest)|(?:__)?tests(?:__)?|tests?[-_][^/]*|[^/]*(?:[-_.]|unit)tests?|testdata|e2e|cypress|__snapshots__)\//i;
/** Names of tests without extension: `test_cart`, `cart_test`, `cart.spec`, `CartTest`, `TestCart`. */
const TEST_NAMES = /^(?:tests?|conftest)$|^tests?[._-]|[._-]tests?$|[._]spec$/i;
const CAMEL_TEST_NAMES = /^Test[A-Z]|[a-z0-9](?:Tests?|TestCase|Specs?|IT)$/;

function isTest(path: string): boolean {
  const stem = basename(path, extname(path));
  return TEST_FOLDERS.test(`/${path}`) || TEST_NAMES.test(stem) || CAMEL_TEST_NAMES.test(stem);
}

const CHANGELOG_FOLDERS = /\/(?:changelogs?(?:\.d)?|changes|newsfragments|\.changeset)\//i;
const CHANGELOG_NAMES = /^(?:changes|change-?log|history|news|release[-_ ]?notes?|whats-?new)\b/i;
const PROSE = new Set(['', '.md', '.rst', '.txt', '.adoc', '.html', '.xml']);

function isChangelog(path: string): boolean {
  if (!PROSE.has(extname(path).toLowerCase())) return false;
  return CHANGELOG_NAMES.test(basename(path)) || CHANGELOG_FOLDERS.test(`/${dirname(path)}/`);
}

/** Lock files, generated files, and files that are copied from other projects. */
const TOOL_FILES =
  /\/(?:node_modules|bower_components|vendor|_vendor|third[-_]?party|3rd[-_]?party|__generated__|_?generated)\/|\.lock$|\.lockb$|\/(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|go\.sum)$|\.min\.(?:js|css)$|\.map$|\.snap$|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$/i;
