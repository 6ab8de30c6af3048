/** Reads the benchmark of semble (github.com/MinishLab/semble): its list of repositories, and the queries of each one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const repository = z.object({
  name: z.string(),
  language: z.string(),
  url: z.string(),
  revision: z.string(),
  /** Folder that is indexed, relative to the root of the repository; all of it if missing. */
  benchmark_root: z.string().nullish(),
});
export type BenchmarkRepository = z.output<typeof repository>;

const target = z.union([
  z.string().transform((path) => ({ path, lines: null })),
  z
    .object({ path: z.string(), start_line: z.coerce.number(), end_line: z.coerce.number() })
    .transform(({ path, start_line, end_line }) => ({
      path,
      lines: { first: start_line, last: end_line },
    })),
]);
/** File that answers a query, or lines of it. Paths are relative to the root of the repository. */
export type Target = z.output<typeof target>;

const query = z.object({
  query: z.string(),
  relevant: z.array(target).default([]),
  secondary: z.array(target).default([]),
  category: z.string().optional(),
});

export interface Query {
  text: string;
  category: string;
  /** Primary and secondary targets. The benchmark counts both alike. */
  targets: Target[];
}

/**
 * Reads the repositories that have queries.
 * @param data folder with `repos.json` and `annotations/<name>.json`
 * @param only names of the repositories to read; all by default
 */
export function readBenchmark(
  data: string,
  only: readonly string[] = [],
): { repository: BenchmarkRepository; queries: Query[] }[] {
  const all = z.array(repository).parse(readJson(join(data, 'repos.json')));
  const names = new Set(all.map(({ name }) => name));
  const unknown = only.filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`repos.json has no ${unknown.join(', ')}.`);
  return all.flatMap((one) => {
    const file = join(data, 'annotations', `${one.name}.json`);
    if (only.length > 0 ? !only.includes(one.name) : !existsSync(file)) return [];
    return [{ repository: one, queries: z.array(query).parse(readJson(file)).map(readQuery) }];
  });
}

function readQuery(one: z.output<typeof query>): Query {
  const targets = [...one.relevant, ...one.secondary];
  return { text: one.query, category: one.category ?? inferCategory(one.query), targets };
}

/** Infers the category of a query without one, as the benchmark does: one word is a symbol, a question with "how" architecture. */
function inferCategory(text: string): string {
  if (!text.trim().includes(' ')) return 'symbol';
  return text.toLowerCase().startsWith('how ') ? 'architecture' : 'semantic';
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
