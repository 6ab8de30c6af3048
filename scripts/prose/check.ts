/**
 * `node scripts/prose/check.ts`, part of `npm run lint`: holds names, docstrings, messages, docs and the changelog against
 * docs/writing.md and docs/glossary.md. cspell checks spelling (`cspell.config.mjs`).
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countTerms, findRefusedWords, readRefusedWords } from './glossary.ts';
import {
  countWords,
  findChangelogFaults,
  findDeadLinks,
  findMissingPaths,
  stripCode,
} from './markdown.ts';
import {
  type Fault,
  findDocstringFaults,
  findMessageFaults,
  listExports,
  listTexts,
  parseSource,
} from './source.ts';

const MAX_TERMS = 60;
const MAX_PAGE_WORDS = 1200;
const MAX_README_WORDS = 600;
/** Share of exported functions that may be named `…Of`: accessors. */
const MAX_OF_SHARE = 0.03;
const ADAPTERS = 'src/engine/languages/';

const faults: string[] = [];
const glossary = readFileSync('docs/glossary.md', 'utf8');
const refused = readRefusedWords(glossary);
if (countTerms(glossary) > MAX_TERMS)
  faults.push(`docs/glossary.md: ${countTerms(glossary)} terms, of ${MAX_TERMS} at most.`);

checkSources();
checkPages();
faults.push(
  ...findChangelogFaults(readFileSync('CHANGELOG.md', 'utf8')).map((it) => `CHANGELOG.md: ${it}`),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

function checkSources(): void {
  const functions: string[] = [];
  const types = new Map<string, string[]>();
  for (const path of list('{src,test,lab,e2e,scripts,demo}/**/*.{ts,tsx}')) {
    const code = readFileSync(path, 'utf8');
    report(path, findDocstringFaults(code));
    if (/^(test|e2e)\//.test(path)) continue;
    const tree = parseSource(code, { tsx: path.endsWith('x') });
    report(path, findMessageFaults(tree, code));
    if (!path.startsWith('src/')) continue;
    for (const { kind, name } of listExports(code)) {
      if (kind === 'function') functions.push(name);
      else if (!path.startsWith(ADAPTERS)) types.set(name, [...(types.get(name) ?? []), path]);
    }
    checkWords(path, listTexts(tree));
  }
  for (const [name, paths] of types)
    if (paths.length > 1) faults.push(`The type ${name} is exported by ${paths.join(' and ')}.`);
  const accessors = functions.filter((name) => /[a-z]Of$/.test(name));
  if (accessors.length > MAX_OF_SHARE * functions.length)
    faults.push(
      `${accessors.length} of ${functions.length} exported functions are named …Of, of ${MAX_OF_SHARE * 100} % at most: ${accessors.join(', ')}`,
    );
  console.log(`prose: ${functions.length} exported functions, ${types.size} exported types`);
}

function report(path: string, found: readonly Fault[]): void {
  faults.push(...found.map(({ line, message }) => `${path}:${line}: ${message}`));
}

function checkPages(): void {
  const pages = list('{*.md,docs/**/*.md}').filter((path) => path !== 'docs/glossary.md');
  for (const path of pages) {
    const markdown = readFileSync(path, 'utf8');
    const dead = findDeadLinks(markdown, (target) => readTarget(join(dirname(path), target)));
    faults.push(...dead.map((target) => `${path}: the link to ${target} leads nowhere.`));
    // Notes of the lab and decisions describe the project as it was on their date.
    const missing = /^docs\/decisions\//.test(path) ? [] : findMissingPaths(markdown, existsSync);
    faults.push(...missing.map((it) => `${path}: there is no ${it}.`));
    const text = stripCode(markdown);
    checkWords(path, text.split('\n'));
    const most = path === 'README.md' ? MAX_README_WORDS : MAX_PAGE_WORDS;
    const isReference = path.startsWith('docs/reference/');
    const words = countWords(text);
    if (!isReference && words > most) faults.push(`${path}: ${words} words, of ${most} at most.`);
  }
  console.log(`prose: ${pages.length} pages`);
}

/** Returns the text of a page; '' for a folder or another file; null if it is missing. */
function readTarget(path: string): string | null {
  if (!existsSync(path)) return null;
  return path.endsWith('.md') && statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
}

function checkWords(path: string, texts: readonly string[]): void {
  for (const text of texts)
    for (const { word, use } of findRefusedWords(text, refused))
      faults.push(`${path}: “${word}” in “${text.trim().slice(0, 100)}”. Use “${use}”.`);
}

/** Lists files below the root of the project, with slashes on every system; hidden and installed ones are left out. */
function list(pattern: string): string[] {
  const paths = globSync(pattern).map((path) => path.replaceAll('\\', '/'));
  const found = paths.filter((path) => !/(^|\/)(node_modules|repositories)\//.test(path));
  if (found.length === 0) throw new Error(`There is no ${pattern}. Run this in the root.`);
  return found.toSorted();
}
