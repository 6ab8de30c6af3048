/**
 * Draws definitions to check by hand: `npm run -s lab -- draw-definitions --seed <text> --each <number> <language> <clone>...`.
 *
 * Prints one row for each: name, kind and rows of the chunk, then the row before it, its first row of code, its last row, and the row
 * below. The draw depends only on the seed and the definitions.
 */
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { findLanguage, ParserPool, unpackFile } from '../../src/engine/lab.ts';
import { readSources } from '../bench/support/read-sources.ts';
import { Random } from '../encoder/random.ts';

const SHOWN = 70;
/** Start of a row that is part of a comment, or empty. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|"""|$)/;

const option = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: option, each: option },
});
const [language = '', ...clones] = positionals;
const { seed, each } = values;
if (!seed || !each || clones.length === 0) {
  console.error(
    'usage: npm run -s lab -- draw-definitions --seed <text> --each <number> <language> <clone>...',
  );
  process.exit(2);
}
const random = new Random(`${seed} ${language}`);
const found = (await Promise.all(clones.map(describeClone))).flat();
for (const line of random.some(found, Number(each))) console.log(line);

async function describeClone(clone: string): Promise<string[]> {
  const repository = basename(clone) === 'repo' ? basename(dirname(clone)) : basename(clone);
  const isWanted = (path: string) => findLanguage(path)?.name === language;
  const sources = await readSources(clone, 'HEAD', isWanted);
  const texts = new Map(sources.map(({ path, text }) => [path, text.split('\n')]));
  const pool = new ParserPool();
  const lines: string[] = [];
  try {
    for await (const file of pool.parse([sources])) {
      const { path, chunks } = unpackFile(file);
      const rows = texts.get(path) ?? [];
      const show = (row: number) => (rows[row - 1] ?? '').trim().slice(0, SHOWN);
      for (const { qualifiedName, kind, startLine, endLine } of chunks) {
        if (kind === 'module') continue;
        const comments = rows.slice(startLine - 1, endLine).findIndex((one) => !COMMENT.test(one));
        const header = startLine + Math.max(0, comments);
        lines.push(
          `${kind} ${qualifiedName} ${repository}/${path}:${startLine}-${endLine}\n    ${[startLine - 1, header, endLine, endLine + 1].map(show).join(' ¦ ')}`,
        );
      }
    }
  } finally {
    await pool.close();
  }
  return lines.sort();
}
