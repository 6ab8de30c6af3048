/**
 * Counts what the project limits: `npm run -s lab -- counts`. Prints lines and files by layer, the size of what `npm ci`
 * installs, and the names and docstrings that docs/glossary.md and the writing rules advise against. Patterns find the
 * names, not a parser.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDocstringFaults } from '../scripts/prose/source.ts';
import { formatMarkdownTable } from '../src/services/evaluation/markdown-table.ts';
import { median } from '../src/services/evaluation/statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const LANGUAGES = 'src/engine/languages/';

interface SourceFile {
  path: string;
  text: string;
  lines: number;
}

const files = listFiles();
const inFolder = (folder: string, extension = /\.tsx?$/) =>
  files.filter(({ path }) => path.startsWith(folder) && extension.test(path));
const sources = inFolder('src/');
const ours = sources.filter(({ path }) => !path.startsWith(LANGUAGES));

console.log('TypeScript\n');
console.log(
  formatMarkdownTable(
    ['layer', 'files', 'lines', 'median lines'],
    [
      ...layers().map((layer): [string, SourceFile[]] => [layer, inFolder(`${layer}/`)]),
      ['src outside languages', ours] as [string, SourceFile[]],
      ['src', sources] as [string, SourceFile[]],
    ].map(([name, of]) => [name, `${of.length}`, `${sum(of)}`, `${medianLines(of)}`]),
  ).join('\n'),
);
const code = ours.flatMap(({ text }) => text.split('\n').slice(0, -1));
const figures: [string, string | number][] = [
  ['mean characters of a line of src outside languages', mean(code.map(({ length }) => length))],
  ['lines of CSS', sum(inFolder('src/', /\.css$/))],
  ['lines of Python in lab', sum(inFolder('lab/', /\.py$/))],
  ['MB installed (du -sm node_modules)', installedMegabytes()],
  ['functions', count(/\bfunction\*? \w+/g)],
  ['functions called …Of', count(/\bfunction\*? \w+Of\b/g)],
  ['functions with one lower-case word for a name', count(/\bfunction\*? [a-z]+\b(?=[<(])/g)],
  ['docstrings', count(/\/\*\*/g)],
  [
    'docstrings that start with a question word or Of',
    files.reduce((sum, { text }) => sum + findDocstringFaults(text).length, 0),
  ],
  [
    'types called Found, Place, Part or Entry',
    count(/\b(?:interface|type|class) (?:Found|Place|Part|Entry)\b/g),
  ],
];
console.log(
  `\n${formatMarkdownTable(
    ['count', ''],
    figures.map(([what, n]) => [what, String(n)]),
  ).join('\n')}`,
);

function listFiles(): SourceFile[] {
  return globSync('{src,test,lab,e2e,scripts}/**/*.{ts,tsx,css,py}', { cwd: ROOT }).map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, lines: text.split('\n').length - 1 };
  });
}

function layers(): string[] {
  const inSource = sources.map(({ path }) => path.split('/').slice(0, 2).join('/'));
  const engine = sources
    .filter(({ path }) => path.startsWith('src/engine/'))
    .map(({ path }) => path.split('/').slice(0, 3).join('/'))
    .filter((path) => !path.endsWith('.ts'));
  return [...new Set([...inSource, ...engine, 'lab', 'test', 'e2e', 'scripts'])].sort();
}

function sum(of: readonly SourceFile[]): number {
  return of.reduce((total, { lines }) => total + lines, 0);
}

function medianLines(of: readonly SourceFile[]): number {
  return of.length === 0 ? 0 : median(of.map(({ lines }) => lines));
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((total, n) => total + n, 0) / numbers.length).toFixed(1);
}

function count(pattern: RegExp): number {
  return sources.reduce((total, { text }) => total + (text.match(pattern)?.length ?? 0), 0);
}

function installedMegabytes(): string {
  const folder = join(ROOT, 'node_modules');
  if (!existsSync(folder)) return 'not installed';
  return execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0] ?? '';
}
