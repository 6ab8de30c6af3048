import type { FileRole } from '../../shared/chunk.ts';

/** What a file is for, by its path relative to the repository's root alone. Pure. */
export function roleOf(path: string): FileRole {
  const folders = path.toLowerCase().split('/');
  const stem = folders.pop()!.replace(/\.[^.]*$/, '');
  const top = folders[0] ?? '';
  if (isTestName(stem) || folders.some(isTestFolder) || isTopTestFolder(folders)) return 'test';
  if (EXAMPLE_TOPS.has(top) || folders.some((folder) => EXAMPLE_FOLDERS.has(folder)))
    return 'example';
  if (DOC_TOPS.has(top) || (stem === 'conf' && DOC_CONFIGURATION_FOLDERS.has(folders.at(-1) ?? '')))
    return 'doc';
  return 'source';
}

/**
 * test_x, x_test, tests, conftest, and x.test, x.spec of the JavaScript world. Not `test`, which is often a
 * command, nor x_tests and x_spec, which may be statistics or specifications.
 */
function isTestName(stem: string): boolean {
  return /^(test_.*|tests|conftest)$|[._-]test$|[.-](tests|spec)$/.test(stem);
}

/** The name of a file without its folders, its extension and what marks it as a test: `cookies` for `t/test_cookies.py`. */
export function testedStem(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return stem.replace(/^tests?_|[._-](tests?|spec)$/g, '');
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
/** Where Sphinx keeps its conf.py. */
const DOC_CONFIGURATION_FOLDERS = new Set(['doc', 'docs', 'documentation']);
