/**
 * Compares the definitions that Locus and Universal Ctags find, by kind and one by one:
 * `node lab/languages/ctags.ts [--list=<n>] [--at=<revision>] <language> <clone>...`.
 *
 * A tag and a chunk are the same if they have the same name and the chunk contains the tag's line. `--list` prints a sample of
 * definitions that only one of them found. Ctags also reports definitions inside of functions, which Locus does not separate.
 * These tags are counted apart.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureProgram } from '../../scripts/debian.ts';
import {
  findLanguage,
  openTree,
  ParserPool,
  type SourceFile,
  unpackFile,
} from '../../src/engine/lab.ts';
import { appendTo } from '../../src/shared/lists-by-key.ts';

type Kind = 'function' | 'method' | 'class';

interface Row {
  /** Names of the languages in Locus. */
  languages: readonly string[];
  /** Names of the languages in Ctags, with additional file extensions. */
  ctags: Readonly<Record<string, readonly string[]>>;
  /** Kinds of Ctags that are chunks in Locus, by language. */
  kinds: Readonly<Record<string, readonly string[]>>;
  /** Returns the name of a tag in Locus, or null if it is not a definition. */
  nameOf?(tag: Tag): string | null;
}

interface Tag {
  name: string;
  path: string;
  line: number;
  kind: string;
  language: string;
  /** Line of the tag, as a vi pattern. */
  pattern?: string;
}

/** Languages by their name on the command line. */
const TABLE: Readonly<Record<string, Row>> = {
  typescript: {
    languages: ['typescript', 'tsx'],
    ctags: { TypeScript: ['.tsx', '.mts', '.cts'] },
    kinds: {
      TypeScript: ['function', 'generator', 'method', 'class', 'interface', 'enum', 'alias'],
    },
    nameOf: nameJavaScript,
  },
  javascript: {
    languages: ['javascript'],
    ctags: { JavaScript: ['.cjs', '.mjs', '.jsx'] },
    kinds: { JavaScript: ['function', 'generator', 'method', 'class', 'getter', 'setter'] },
    nameOf: nameJavaScript,
  },
  kotlin: {
    languages: ['kotlin'],
    ctags: { Kotlin: ['.kts'] },
    kinds: { Kotlin: ['class', 'interface', 'object', 'method'] },
    // Members of an unnamed companion object belong to its class.
    nameOf: ({ name }) => (/^(?:<lambda>|<anonymous>|Companion|_)$/.test(name) ? null : name),
  },
  csharp: {
    languages: ['csharp'],
    ctags: { 'C#': [] },
    kinds: { 'C#': ['class', 'interface', 'struct', 'enum', 'method'] },
    nameOf: ({ name }) => (name.includes('.') ? null : name),
  },
  cpp: {
    languages: ['cpp'],
    ctags: { 'C++': [], C: [] },
    kinds: {
      'C++': ['class', 'struct', 'union', 'enum', 'function'],
      C: ['struct', 'union', 'enum', 'function'],
    },
    nameOf: ({ name }) =>
      name.startsWith('__anon') ? null : name.replace(/^operator /, 'operator'),
  },
};

/**
 * Returns the name of a JavaScript tag in Locus. Ctags invents names for anonymous functions, treats every object as a class,
 * and `import { type A }` and `a satisfies A` as aliases.
 */
function nameJavaScript({ name, kind, pattern = '' }: Tag): string | null {
  if (/^(?:anonymous|AnonymousFunction|__anon)/.test(name)) return null;
  if (kind === 'alias' && !/\btype\s+[\w$]+\s*(?:[=<]|\$\/$)/.test(pattern)) return null;
  if (kind === 'class' && !/\bclass\b|\bfunction\b/.test(pattern)) return null;
  return name.replace(/^["']|["']$/g, '');
}

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
  /** Number of chunks that have another kind in Ctags. */
  otherwise: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string', default: '0' }, at: { type: 'string', default: 'HEAD' } },
});
const [name = '', ...clones] = positionals;
const row = TABLE[name];
if (!row || clones.length === 0) {
  console.error(
    `usage: npx node lab/languages/ctags.ts [--list=<n>] [--at=<revision>] <${Object.keys(TABLE).join('|')}> <clone>...`,
  );
  process.exit(2);
}
const ctags = ensureProgram('ctags', 'universal-ctags');
console.log(
  '| repository | kind | both | only Locus | only Ctags | otherwise to Ctags | inside functions |',
);
console.log('|---|---|---:|---:|---:|---:|---:|');
for (const clone of clones) {
  const sources = await readSources(clone, row);
  print(clone, compare(row, await parseChunks(sources), readTags(sources, row)));
}

async function readSources(clone: string, { languages: names }: Row): Promise<SourceFile[]> {
  const tree = await openTree(clone, { revision: values.at });
  try {
    const { entries } = await tree.list((path) => names.includes(findLanguage(path)?.name ?? ''));
    const sources: SourceFile[] = [];
    for await (const content of tree.read(entries)) if ('text' in content) sources.push(content);
    return sources;
  } finally {
    await tree.close();
  }
}

/** Returns the chunks without module code, by path. Inner ones follow those around them. */
async function parseChunks(sources: readonly SourceFile[]): Promise<Map<string, Chunk[]>> {
  const pool = new ParserPool();
  const chunks = new Map<string, Chunk[]>();
  try {
    for await (const file of pool.parse([sources])) {
      const { path, chunks: found } = unpackFile(file);
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
  return chunks;
}

function readTags(sources: readonly SourceFile[], { ctags: mapped }: Row): Tag[] {
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
  { kinds, nameOf }: Row,
  chunks: ReadonlyMap<string, Chunk[]>,
  tags: readonly Tag[],
): Comparison {
  const both = new Map<string, number>();
  const onlyCtags: Definition[] = [];
  const [definitions, others] = [true, false].map((wanted) =>
    tags.filter(({ language, kind }) => (kinds[language]?.includes(kind) ?? false) === wanted),
  );
  const take = (tag: Tag) => {
    const name = nameOf ? nameOf(tag) : tag.name;
    const around = (chunks.get(tag.path) ?? []).filter(
      ({ start, end }) => start <= tag.line && tag.line <= end,
    );
    const same = around.findLast((chunk) => chunk.name === name && !chunk.isTaken);
    if (same) same.isTaken = true;
    return { name, same, innermost: around.at(-1) };
  };
  let inside = 0;
  for (const tag of definitions ?? []) {
    const { name, same, innermost } = take(tag);
    if (same) both.set(same.kind, (both.get(same.kind) ?? 0) + 1);
    else if (innermost && innermost.kind !== 'class') inside++;
    else if (name !== null)
      onlyCtags.push({ path: tag.path, line: tag.line, name, kind: tag.kind });
  }
  const otherwise = (others ?? []).filter((tag) => take(tag).same).length;
  const onlyLocus = [...chunks.values()].flat().filter(({ isTaken }) => !isTaken);
  return { both, onlyLocus, onlyCtags, inside, otherwise };
}

function print(clone: string, { both, onlyLocus, onlyCtags, inside, otherwise }: Comparison): void {
  const repository = basename(clone) === 'repo' ? basename(dirname(clone)) : basename(clone);
  const count = (found: readonly Definition[], kind: string) =>
    found.filter((one) => one.kind === kind).length;
  const kinds = [...both.keys(), ...[...onlyLocus, ...onlyCtags].map(({ kind }) => kind)];
  for (const kind of [...new Set(kinds)].sort())
    console.log(
      `| ${repository} | ${kind} | ${both.get(kind) ?? 0} | ${count(onlyLocus, kind)} | ${count(onlyCtags, kind)} | | |`,
    );
  const all = [...both.values()].reduce((sum, n) => sum + n, 0);
  console.log(
    `| ${repository} | all | ${all} | ${onlyLocus.length} | ${onlyCtags.length} | ${otherwise} | ${inside} |`,
  );
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
