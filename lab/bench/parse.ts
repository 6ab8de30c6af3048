/**
 * Measures how fast one thread parses each language: `node lab/bench/parse.ts <folder> [<folder> ...]`.
 *
 * Loads a grammar with its queries, then cuts every file of its language into chunks and facts, twice. The second run counts,
 * since WebAssembly is compiled during the first.
 */

import { resolve } from 'node:path';
import {
  chunkSource,
  findLanguage,
  getLanguage,
  isSourcePath,
  loadGrammar,
  openTree,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { appendTo } from '../../src/shared/lists-by-key.ts';

const HEADER = ['', 'files', 'MB', 'chunks', 'grammar and queries loaded, ms', 'MB/s'];

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: npx node lab/bench/parse.ts <folder> [<folder> ...]');
  process.exit(2);
}
const sources = new Map<string, string[]>();
for (const folder of folders) {
  const tree = await openTree(resolve(folder), {});
  const { entries } = await tree.list(isSourcePath);
  for await (const content of tree.read(entries)) {
    const language = findLanguage(content.path);
    if (!('skipped' in content) && language) appendTo(sources, language.name, content.text);
  }
  await tree.close();
}
const rows: string[][] = [];
for (const [name, texts] of [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const language = getLanguage(name);
  const start = performance.now();
  const grammar = await loadGrammar(language);
  const loaded = performance.now() - start;
  let chunks = 0;
  let seconds = 0;
  for (let pass = 0; pass < 2; pass++) {
    const begun = performance.now();
    chunks = 0;
    for (const text of texts) chunks += chunkSource(grammar, text).chunks.length;
    seconds = (performance.now() - begun) / 1000;
  }
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  rows.push([
    language.title,
    `${texts.length}`,
    megabytes.toFixed(1),
    `${chunks}`,
    loaded.toFixed(0),
    (megabytes / seconds).toFixed(2),
  ]);
}
console.log(formatMarkdownTable(HEADER, rows).join('\n'));
