/**
 * Measures how well the reader of diffs, which has no syntax tree, finds the function of a line:
 * `npm run -s lab -- attribution <folder>...`
 *
 * Looks up every line of a function that has a word, as history looks up edited lines, and compares the result with the chunks
 * of the same file. A line in another function is evidence for the wrong one. A line in the class, in module code or under a
 * name that the file does not have is evidence for none.
 */

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSource } from '../../src/base/decode-source.ts';
import {
  findBoundary,
  findLanguage,
  type Language,
  listDiffNames,
  OpenDefinitions,
  type ParsedChunk,
  parseFile,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';

interface Counts {
  lines: number;
  right: number;
  wrong: number;
}

/** Maximum size of a file in bytes. Larger ones are rarely written by hand. */
const LARGEST = 200_000;

const counted = new Map<string, Counts>();
for (const folder of process.argv.slice(2))
  for (const path of globSync('**/*', { cwd: folder })) await countFile(join(folder, path), path);
const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`;
const rows = [...counted]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([language, { lines, right, wrong }]) => [
    language,
    String(lines),
    percent(right, lines),
    percent(wrong, lines),
    percent(lines - right - wrong, lines),
  ]);
const header = ['', 'lines', 'its function', 'another function', 'none'];
console.log(formatMarkdownTable(header, rows).join('\n'));

async function countFile(file: string, path: string): Promise<void> {
  const language = findLanguage(path);
  if (!language || !statSync(file).isFile()) return;
  const source = decodeSource(readFileSync(file));
  if (!('text' in source) || source.text.length > LARGEST) return;
  const { chunks } = await parseFile(path, source.text);
  const counts = counted.get(language.name) ?? { lines: 0, right: 0, wrong: 0 };
  counted.set(language.name, counts);
  countLines(language, source.text, chunks, counts);
}

function countLines(
  language: Language,
  text: string,
  chunks: readonly ParsedChunk[],
  counts: Counts,
): void {
  const innermost: ParsedChunk[] = [];
  for (const chunk of chunks)
    for (let line = chunk.startLine; line <= chunk.endLine; line++) innermost[line] = chunk;
  const open = new OpenDefinitions();
  let line = 0;
  for (const row of text.split('\n')) {
    line++;
    const boundary = findBoundary(language, `${row}\n`, 0);
    if (boundary) open.pass(boundary);
    const chunk = innermost[line];
    if (boundary || !chunk || !isFunction(chunk) || !/^\s+\w/.test(row)) continue;
    counts.lines++;
    const name = open.getEnclosing(language.layout.measureIndent(row, 0));
    if (isKnownAs(name, chunk)) counts.right++;
    else if (chunks.some((other) => isFunction(other) && isKnownAs(name, other))) counts.wrong++;
  }
}

function isFunction({ kind }: ParsedChunk): boolean {
  return kind === 'function' || kind === 'method';
}

/** Returns true if history attributes this name to the chunk. */
function isKnownAs(past: string, chunk: ParsedChunk): boolean {
  return [...listDiffNames(chunk)].includes(past);
}
