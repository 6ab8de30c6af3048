/** Parts of the window's bundle and their size limits. After `npm run build`, `node e2e/bundle.ts` prints them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Part {
  what: string;
  /** Entry script; it is loaded with everything that it imports statically. */
  entries: RegExp;
  /** Maximum compressed size in KB. */
  budget: number;
}

/** Parts of the bundle. A script that several parts need counts for the first one. */
const PARTS: readonly Part[] = [
  { what: 'first paint: React, Radix, schemas, the start page', entries: /^index-/, budget: 200 },
  {
    what: 'workspace: the issue, the list, the code around Monaco',
    entries: /^(Workspace|views)-/,
    budget: 85,
  },
  { what: 'Monaco, loaded after the first paint', entries: /^monaco-/, budget: 900 },
  { what: 'Monaco’s worker', entries: /^editor/, budget: 110 },
  { what: 'neighbors: the panel and its list', entries: /^NeighborsPanel-/, budget: 12 },
  { what: 'neighbors: the graph and its layout', entries: /^NeighborGraph-/, budget: 75 },
  { what: 'model input, comparison', entries: /^(ModelInput|Compare)Panel-/, budget: 12 },
  {
    what: 'dialogs, each loaded when it is opened',
    entries: /(Dialog|CheatSheet|Settings)-/,
    budget: 50,
  },
  { what: 'languages, each loaded when it is shown', entries: /\.(js|css)$/, budget: 84 },
  { what: 'fonts (Latin; others are loaded when they occur)', entries: /latin-wght/, budget: 95 },
];

const ASSETS = resolve(
  import.meta.dirname,
  '..',
  process.env.LOCUS_OUT ?? 'out',
  'renderer/assets',
);

export interface Size extends Part {
  files: string[];
  /** Compressed size in KB. */
  whole: number;
  compressed: number;
}

/** Measures the parts of the last build. */
export function bundle(): Size[] {
  const left = new Set(readdirSync(ASSETS));
  return PARTS.map((part) => {
    const files = [...left].filter((name) => part.entries.test(name) && left.delete(name));
    // The loop appends to the list that it iterates.
    for (const file of files) files.push(...needs(file, left).filter((name) => left.delete(name)));
    const contents = files.map((file) => readFileSync(join(ASSETS, file)));
    const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0) / 1000;
    return {
      ...part,
      files,
      whole: sum(contents.map(({ length }) => length)),
      compressed: sum(contents.map((content) => gzipSync(content).length)),
    };
  });
}

/** Returns the files that a script loads at once: static imports, and styles of the same name. */
function needs(file: string, among: ReadonlySet<string>): string[] {
  if (!file.endsWith('.js')) return [];
  const text = readFileSync(join(ASSETS, file), 'utf8');
  const named = (name: string) => name.replace(/-[\w-]{8}\.\w+$/, '');
  return [...among].filter((name) =>
    name.endsWith('.css')
      ? named(name) === named(file)
      : text.includes(`from"./${name}"`) || text.includes(`import"./${name}"`),
  );
}

if (import.meta.filename === process.argv[1]) {
  console.log('| in the bundle | KB | KB compressed | at most |\n|---|---|---|---|');
  for (const { what, whole, compressed, budget } of bundle()) {
    console.log(`| ${what} | ${Math.round(whole)} | ${Math.round(compressed)} | ${budget} |`);
  }
}
