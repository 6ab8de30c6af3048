import type { FileRole } from '../../shared/chunk.ts';
import { languageOf } from '../languages/index.ts';
import type { Declared } from './attributes.ts';
import { hasGeneratedName } from './generated.ts';
import { vendoredAt } from './vendored.ts';

/** What is known of a file beside its path. */
export interface FileTraits {
  /** Its text says that a tool wrote it, or looks so. */
  generated?: boolean;
  /** What the repository says of it. */
  declared?: Declared;
}

/**
 * What a file is for, by its path relative to the repository's root and what is known beside. Pure.
 *
 * Of nested folders the outermost decides: a copy in the folder of tests is a fixture of theirs, and tests in a copy
 * belong to the copy. What the repository says of a file goes before what its name and text say; tests, examples and
 * docs stay what they are.
 */
export function roleOf(path: string, { generated, declared }: FileTraits = {}): FileRole {
  const vendored = declared?.vendored;
  if (vendored !== false && isCopyOfSource(path)) return 'vendored';
  const role = ownRoleOf(path);
  if (role !== 'source') return role;
  if (vendored) return 'vendored';
  const isGenerated = declared?.generated ?? (generated || hasGeneratedName(path));
  return isGenerated ? 'generated' : 'source';
}

/** Whether a file is code of tests, its project's own or another's. */
export function isTest(path: string): boolean {
  return ownRoleOf(path) === 'test';
}

/** The name of a file without its folders, its extension and what marks it as a test: `cookies` for `t/test_cookies.py`. */
export function testedStem(path: string): string {
  const stem = stemOf(path);
  const marks = languageOf(path)?.files.testMarks;
  return marks ? stem.replace(marks, '') : stem;
}

/** Whether a file is vendored by its path, and not below a folder of tests, examples or docs. */
function isCopyOfSource(path: string): boolean {
  const at = vendoredAt(path);
  return at >= 0 && roleOfFolders(foldersOf(path.slice(0, at)), path) === 'source';
}

/** The role of a file as if all of the repository were its project's own. */
function ownRoleOf(path: string): FileRole {
  const files = languageOf(path)?.files;
  const stem = stemOf(path);
  if (files?.tests.test(stem)) return 'test';
  const folders = foldersOf(path);
  const role = roleOfFolders(folders, path);
  if (role !== 'source') return role;
  const configures = files?.documentation.includes(stem.toLowerCase());
  return configures && DOC_TOPS.has(folders.at(-1) ?? '') ? 'doc' : 'source';
}

/** What folders, the outermost first and in lower case, say of a file in its language. */
function roleOfFolders(folders: readonly string[], path: string): FileRole {
  const top = folders[0] ?? '';
  const testFolders = languageOf(path)?.files.testFolders;
  if (
    testFolders?.test(`/${folders.join('/')}/`) ||
    folders.some(isTestFolder) ||
    isTopTestFolder(folders)
  )
    return 'test';
  if (EXAMPLE_TOPS.has(top) || folders.some((folder) => EXAMPLE_FOLDERS.has(folder)))
    return 'example';
  return DOC_TOPS.has(top) ? 'doc' : 'source';
}

/** A path's folders in lower case. */
function foldersOf(path: string): string[] {
  return path.toLowerCase().split('/').slice(0, -1);
}

/** A file's name without its folders and its extension. */
function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** tests, __tests__, test_data, unit_tests. Not `test` and `testing`: inside a package those are libraries. */
function isTestFolder(folder: string): boolean {
  return /^(__)?tests(__)?$|^tests?[-_]|[-_]tests$|^testdata$/.test(folder);
}

/** `test` and `testing` at the top hold the project's own tests, and so does `src/test`. */
function isTopTestFolder(folders: readonly string[]): boolean {
  const [top, second] = folders;
  return top === 'test' || top === 'testing' || (top === 'src' && second === 'test');
}

/** Never a package's name. */
const EXAMPLE_FOLDERS = new Set(['example', 'examples', 'benchmark', 'benchmarks', 'asv_bench']);
/** These may name a package further down (a laboratory's `samples`); at the top they do not. */
const EXAMPLE_TOPS = new Set([
  'sample',
  'samples',
  'demo',
  'demos',
  'bench',
  'tutorial',
  'tutorials',
  'gallery',
  'galleries',
]);
/** Only at the top: `docs` inside a package may well be the code that writes documentation. */
const DOC_TOPS = new Set(['doc', 'docs', 'documentation']);
