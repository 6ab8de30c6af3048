/**
 * Compares the definitions that Locus and Universal Ctags find, by kind and one by one:
 * `npm run -s lab -- ctags [--list <n>] [--share] [--at <revision>] <language> <clone>...`.
 *
 * A tag and a chunk are the same if they have the same name and the chunk contains the tag's line. `--list` prints a sample of
 * definitions that only one of them found. Ctags also reports definitions inside of functions, which Locus does not separate.
 * These tags are counted apart.
 *
 * `--share` prints one row for each clone: which part of the tags Locus has, of all, and without those that are no definition of
 * their own: anonymous, or in a function. For languages that Ctags does not know, rows that look like definitions take its place.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureProgram } from '../../scripts/debian.ts';
import { findLanguage, ParserPool, type SourceFile, unpackFile } from '../../src/engine/lab.ts';
import { appendTo } from '../../src/shared/lists-by-key.ts';
import { readSources } from '../bench/support/read-sources.ts';
import { COMPARED_LANGUAGES, type ComparedLanguage, type Tag } from './ctags-rows.ts';

type Kind = 'function' | 'method' | 'class';

interface Definition {
  path: string;
  line: number;
  name: string;
  /** Kind in the program that found it. */
  kind: string;
}

interface Chunk extends Definition {
  kind: Kind;
  start: number;
  end: number;
  isTaken: boolean;
}

interface Comparison {
  both: Map<string, number>;
  onlyLocus: Definition[];
  onlyCtags: Definition[];
  /** Number of tags inside of functions and methods. */
  inside: number;
  /** Number of tags without a name in Locus, such as anonymous functions. */
  unnamed: number;
  /** Number of chunks that have another kind in Ctags. */
  otherwise: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: '0' },
    at: { type: 'string', default: 'HEAD' },
    share: { type: 'boolean', default: false },
  },
});
const [name = '', ...clones] = positionals;
const row = COMPARED_LANGUAGES[name];
if (!row || clones.length === 0) {
  console.error(
    `usage: npm run -s lab -- ctags [--list <n>] [--share] [--at <revision>] <${Object.keys(COMPARED_LANGUAGES).join('|')}> <clone>...`,
  );
  process.exit(2);
}
const ctags = row.line ? '' : ensureProgram('ctags', 'universal-ctags');
console.log(
  values.share
    ? '| language | repository | files | definitions | with errors | of all | of definitions |'
    : '| repository | kind | both | only Locus | only Ctags | otherwise to Ctags | inside functions |',
);
console.log(
  values.share ? '|---|---|---:|---:|---:|---:|---:|' : '|---|---|---:|---:|---:|---:|---:|',
);
for (const clone of clones) {
  const sources = await readSources(clone, values.at, (path) =>
    row.languages.includes(findLanguage(path)?.name ?? ''),
  );
  const parsed = await parseChunks(sources);
  const compared = compare(
    row,
    findOutside(sources, row.outside),
    parsed.chunks,
    row.line ? matchLines(sources, row.line) : readTags(sources, row),
  );
  if (values.share) printShare(clone, { sources, ...parsed, compared });
  else print(clone, compared);
  listDifferences(compared);
}

interface ParsedSources {
  /** Chunks without module code, by path. Inner ones follow those around them. */
  chunks: Map<string, Chunk[]>;
  /** Number of files with syntax errors. */
  broken: number;
}

async function parseChunks(sources: readonly SourceFile[]): Promise<ParsedSources> {
  const pool = new ParserPool();
  const chunks = new Map<string, Chunk[]>();
  let broken = 0;
  try {
    for await (const file of pool.parse([sources])) {
      const { path, chunks: found, errors } = unpackFile(file);
      if (errors > 0) broken++;
      for (const { name, kind, startLine: start, endLine: end } of found)
        if (kind !== 'module')
          appendTo(chunks, path, {
            ...{ path, name, kind, line: start, start, end },
            isTaken: false,
          });
    }
  } finally {
    await pool.close();
  }
  return { chunks, broken };
}

/** Returns a function that tells whether a tag is in text that matches. */
function findOutside(
  sources: readonly SourceFile[],
  pattern: RegExp | undefined,
): (tag: Tag) => boolean {
  if (!pattern) return () => false;
  const lines = new Map<string, Set<number>>();
  for (const { path, text } of sources) {
    const found = new Set<number>();
    for (const { index, 0: match } of text.matchAll(pattern)) {
      const first = text.slice(0, index).split('\n').length;
      for (const [i] of match.split('\n').entries()) found.add(first + i);
    }
    lines.set(path, found);
  }
  return ({ path, line }) => lines.get(path)?.has(line) ?? false;
}

/** Returns a tag for each line that matches. */
function matchLines(sources: readonly SourceFile[], line: RegExp): Tag[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((row, i) => {
      const name = line.exec(row)?.slice(1).find(Boolean);
      return name ? [{ path, line: i + 1, name, kind: 'line', language: '' }] : [];
    }),
  );
}

function readTags(sources: readonly SourceFile[], { ctags: mapped }: ComparedLanguage): Tag[] {
  const folder = mkdtempSync(join(tmpdir(), 'locus-ctags-'));
  try {
    for (const { path, text } of sources) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const printed = execFileSync(
      ctags,
      [
        '--options=NONE',
        '--recurse',
        '--output-format=json',
        '--fields=+nlKP',
        `--languages=${Object.keys(mapped).join(',')}`,
        ...Object.entries(mapped).flatMap(([language, extensions]) =>
          extensions.map((extension) => `--map-${language}=+${extension}`),
        ),
        '-f',
        '-',
        '.',
      ],
      { cwd: folder, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
    );
    return printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Tag => JSON.parse(line))
      .map((tag) => ({ ...tag, path: tag.path.replace(/^\.\//, '') }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(
  { kinds, nameOf, line }: ComparedLanguage,
  outside: (tag: Tag) => boolean,
  chunks: ReadonlyMap<string, Chunk[]>,
  tags: readonly Tag[],
): Comparison {
  const both = new Map<string, number>();
  const onlyCtags: Definition[] = [];
  const [definitions, others] = [true, false].map((wanted) =>
    tags.filter(
      ({ language, kind }) =>
        (line !== undefined || (kinds[language]?.includes(kind) ?? false)) === wanted,
    ),
  );
  const take = (tag: Tag) => {
    const name = outside(tag) ? null : nameOf ? nameOf(tag) : tag.name;
    const around = (chunks.get(tag.path) ?? []).filter(
      ({ start, end }) => start <= tag.line && tag.line <= end,
    );
    // A clause of a function is a tag of its own to Ctags.
    const clause = around.at(-1)?.name === name ? around.at(-1) : undefined;
    const same = around.findLast((chunk) => chunk.name === name && !chunk.isTaken) ?? clause;
    if (same) same.isTaken = true;
    return { name, same, innermost: around.at(-1) };
  };
  let [inside, unnamed] = [0, 0];
  for (const tag of definitions ?? []) {
    const { name, same, innermost } = take(tag);
    if (same) both.set(same.kind, (both.get(same.kind) ?? 0) + 1);
    else if (name === null) unnamed++;
    else if (innermost && innermost.kind !== 'class') inside++;
    else onlyCtags.push({ path: tag.path, line: tag.line, name, kind: tag.kind });
  }
  const otherwise = (others ?? []).filter((tag) => take(tag).same).length;
  const onlyLocus = [...chunks.values()].flat().filter(({ isTaken }) => !isTaken);
  return { both, onlyLocus, onlyCtags, inside, unnamed, otherwise };
}

function getRepositoryName(clone: string): string {
  return basename(clone) === 'repo' ? basename(dirname(clone)) : basename(clone);
}

function countAll({ both }: Comparison): number {
  return [...both.values()].reduce((sum, n) => sum + n, 0);
}

interface Shared extends ParsedSources {
  sources: readonly SourceFile[];
  compared: Comparison;
}

function printShare(clone: string, { sources, chunks, broken, compared }: Shared): void {
  const both = countAll(compared);
  const definitions = both + compared.onlyCtags.length;
  const all = definitions + compared.inside + compared.unnamed;
  const share = (total: number) =>
    total === 0 ? '–' : `${both} of ${total} (${((100 * both) / total).toFixed(1)} %)`;
  const found = [...chunks.values()].flat().length;
  const repository = getRepositoryName(clone).replace(/^.*\+/, '');
  console.log(
    `| ${name} | ${repository} | ${sources.length} | ${found} | ${broken} | ${share(all)} | ${share(definitions)} |`,
  );
}

function print(clone: string, compared: Comparison): void {
  const { both, onlyLocus, onlyCtags, inside, otherwise } = compared;
  const repository = getRepositoryName(clone);
  const count = (found: readonly Definition[], kind: string) =>
    found.filter((one) => one.kind === kind).length;
  const kinds = [...both.keys(), ...[...onlyLocus, ...onlyCtags].map(({ kind }) => kind)];
  for (const kind of [...new Set(kinds)].sort())
    console.log(
      `| ${repository} | ${kind} | ${both.get(kind) ?? 0} | ${count(onlyLocus, kind)} | ${count(onlyCtags, kind)} | | |`,
    );
  console.log(
    `| ${repository} | all | ${countAll(compared)} | ${onlyLocus.length} | ${onlyCtags.length} | ${otherwise} | ${inside} |`,
  );
}

function listDifferences({ onlyLocus, onlyCtags }: Comparison): void {
  for (const [who, found] of Object.entries({ Locus: onlyLocus, Ctags: onlyCtags }))
    for (const { path, line, name, kind } of sampled(found, Number(values.list)))
      console.log(`  only ${who}: ${kind} ${name} ${path}:${line}`);
}

function sampled(found: readonly Definition[], most: number): Definition[] {
  const step = Math.max(1, found.length / most);
  return Array.from(
    { length: Math.min(most, found.length) },
    (_, i) => found[Math.floor(i * step)],
  ).flatMap((one) => one ?? []);
}
