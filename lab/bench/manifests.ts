/**
 * Measures how manifests change the call graph: `node lab/bench/manifests.ts [--list=<n>] [--language=go] <clone>...`.
 *
 * Resolves each clone's HEAD twice: from paths alone, and with its manifests. An import counts once for each name that it
 * binds. `--list` prints that many of the imports whose target changes, a random sample that is the same in every run.
 */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  findLanguage,
  type GraphFile,
  type GraphRules,
  type ImportFact,
  inferRole,
  type ModuleResolver,
  RepositoryGraph,
  type RepositoryModule,
  runToEnd,
} from '../../src/engine/lab.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { parseClone } from './support/parse-clone.ts';

type Files = ReadonlyMap<string, GraphFile>;

/** An import, with its targets with and without manifests. */
interface Compared {
  path: string;
  fact: ImportFact;
  isRelative: boolean;
  before: string;
  after: string;
}

const OUTSIDE = '-';

const {
  values: { list },
  positionals: clones,
} = parseArgs({ allowPositionals: true, options: { list: { type: 'string', default: '0' } } });
if (clones.length === 0) {
  console.error('usage: npx node lab/bench/manifests.ts [--list=<n>] <clone>...');
  process.exit(2);
}

console.log(
  '| repository | manifests | relative imports with a target | others with a target | others that change | edges | only from paths | only with manifests |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
const changed: string[] = [];
for (const clone of clones) {
  const files = await parseClone(resolve(clone), 'HEAD');
  const bare = new Map([...files].filter(([, { facts }]) => !facts.manifest));
  const imports = compareImports(files, bare);
  const [before, after] = [listEdges(bare), listEdges(files)];
  const relative = imports.filter(({ isRelative }) => isRelative);
  const others = imports.filter(({ isRelative }) => !isRelative);
  const found = (some: Compared[], when: 'before' | 'after') =>
    some.filter((one) => one[when] !== OUTSIDE).length;
  const differ = others.filter((one) => one.before !== one.after);
  const cells = [
    clone,
    files.size - bare.size,
    `${found(relative, 'before')} → ${found(relative, 'after')} of ${relative.length}`,
    `${found(others, 'before')} → ${found(others, 'after')} of ${others.length}`,
    differ.length,
    `${before.size} → ${after.size}`,
    before.difference(after).size,
    after.difference(before).size,
  ];
  console.log(`| ${cells.join(' | ')} |`);
  for (const { path, fact, before, after } of imports.filter((one) => one.before !== one.after))
    changed.push(`${clone}: ${path} imports ${fact.module} (${fact.local}): ${before} → ${after}`);
}
for (const line of drawLines(changed, Number(list))) console.log(line);

function listEdges(files: Files): Set<string> {
  const graph = new RepositoryGraph();
  for (const [path, file] of files) graph.put(path, file);
  return new Set(
    [...files.keys()].flatMap((path) =>
      runToEnd(graph.resolve(path)).edges.map(
        ({ caller, callee, kind }) => `${caller} ${callee} ${kind}`,
      ),
    ),
  );
}

function compareImports(files: Files, bare: Files): Compared[] {
  const with_ = makeResolvers(files);
  const without = makeResolvers(bare);
  const all: Compared[] = [];
  for (const [path, { facts }] of bare) {
    const rules = findLanguage(path)?.graph;
    if (!rules?.manifests) continue;
    const at = (resolvers: ReadonlyMap<GraphRules, ModuleResolver>, fact: ImportFact) =>
      formatModule(resolvers.get(rules)?.resolveImport(path, fact).module ?? null);
    for (const fact of facts.imports) {
      const isRelative = /^\.|^(?:crate|self|super)\b|^macro$/.test(fact.module);
      all.push({ path, fact, isRelative, before: at(without, fact), after: at(with_, fact) });
    }
  }
  return all;
}

function formatModule(module: RepositoryModule | null): string {
  return module?.file ?? module?.namespace ?? module?.folder ?? OUTSIDE;
}

/** Returns the module resolver of each language that has manifests. */
function makeResolvers(files: Files): Map<GraphRules, ModuleResolver> {
  const namespaces = new Set<string>();
  const resolvers = new Map<GraphRules, ModuleResolver>();
  const modulesOf = (rules: GraphRules) =>
    getOrAdd(resolvers, rules, () =>
      rules.createResolver(
        (path) => inferRole(path) === 'test',
        (name) => namespaces.has(name),
      ),
    );
  const graphs = new Set(Array.from(files.keys(), (path) => findLanguage(path)?.graph));
  for (const [path, { facts }] of files) {
    const rules = findLanguage(path)?.graph;
    for (const one of graphs)
      if (facts.manifest && one?.manifests?.has(path.slice(path.lastIndexOf('/') + 1)))
        modulesOf(one).updateManifest?.(path, facts.manifest.entries, new Set());
    if (!rules?.manifests) continue;
    modulesOf(rules).add(path, new Set());
    const namespace = rules.namespace?.of(path, facts.namespace);
    if (namespace) namespaces.add(namespace);
  }
  return resolvers;
}

/** Draws some of the lines, always the same for the same input. */
function drawLines(lines: string[], count: number): string[] {
  let state = 1;
  const rest = [...lines];
  return Array.from({ length: Math.min(count, lines.length) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1)[0] ?? '';
  });
}
