/**
 * Indexes files with MiniSearch, a BM25 library, and searches them once: what text search by rank takes without structure, calls,
 * history or meaning. `node lab/speed/peers/bm25.ts <folder> <file that lists paths> <file of an issue>`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { measureHere } from './task.ts';

const [root = '', list = '', issue = ''] = process.argv.slice(2);
const paths = readFileSync(list, 'utf8').split('\n');
const text = readFileSync(issue, 'utf8');

await measureHere(async () => {
  const index = new MiniSearch({ fields: ['path', 'text'] });
  for (const [id, path] of paths.entries())
    index.add({ id, path, text: readFileSync(join(root, path), 'utf8') });
  index.search(text);
});
