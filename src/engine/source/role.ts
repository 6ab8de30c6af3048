import type { FileRole } from '../../shared/types.ts';
import { languageOf } from '../languages/index.ts';

/** What a file is for, by its path relative to the repository's root alone. Pure. */
export function roleOf(path: string): FileRole {
  const stem = stemOf(path.slice(path.lastIndexOf('/') + 1));
  const folders = path.toLowerCase().split('/').slice(0, -1);
  const top = folders[0] ?? '';
  const files = languageOf(path)?.files;
  if (
    files?.tests.test(stem) ||
    files?.testFolders?.test(`/${folders.join('/')}/`) ||
    folders.some(isTestFolder) ||
    isTopTestFolder(folders)
  )
    return 'test';
  if (EXAMPLE_TOPS.has(top) || folders.some((folder) => EXAMPLE_FOLDERS.has(folder)))
    return 'example';
  if (
    DOC_TOPS.has(top) ||
    (files?.documentation.includes(stem.toLowerCase()) && DOC_TOPS.has(folders.at(-1) ?? ''))
  )
    return 'doc';
  return 'source';
}

/** The name of a file without its folders, its extension and what marks it as a test: `cookies` for `t/test_cookies.py`. */
export function testedStem(path: string): string {
  const stem = stemOf(path.slice(path.lastIndexOf('/') + 1));
  const marks = languageOf(path)?.files.testMarks;
  return marks ? stem.replace(marks, '') : stem;
}

/** A file's name without its extension. */
function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
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
