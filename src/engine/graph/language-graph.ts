import type { EdgeKind } from '../../shared/types.ts';
import type { ReferenceFact } from '../parse/types.ts';
import { ClassHierarchy } from './classes.ts';
import { Evaluator } from './evaluator.ts';
import { changedNames, type Definition, FileIndex } from './file-index.ts';
import type { GraphLanguage } from './language.ts';
import { getOrAdd, ModuleTree } from './modules.ts';
import { Reads } from './reads.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from './types.ts';
import type { Value, Values } from './values.ts';

/** Where a reference leads. */
interface Target {
  definition: Definition;
  kind: EdgeKind;
}

/**
 * The call resolver for the files of one language.
 *
 * A reference is resolved through scopes, imports, classes and the types of receivers. Only where
 * nothing is known of a receiver, and one function or method alone in the repository has the name,
 * is it taken for the target, marked as a guess.
 *
 * Every file's edges remember what they were derived from (`Reads`), and an update tells from that
 * which files it concerns.
 */
export class LanguageGraph implements CallResolver {
  readonly #language: GraphLanguage;
  readonly #isTest: (path: string) => boolean;
  readonly #files = new Map<string, FileIndex>();
  readonly #modules: ModuleTree;
  readonly #classes: ClassHierarchy;
  readonly #reads = new Map<string, Reads>();
  /** Functions and methods by name, common names left out. */
  readonly #functions = new Map<string, Set<Definition>>();

  /** `isTest(path)`: whether a file is test code, which other code does not call. */
  constructor(language: GraphLanguage, isTest: (path: string) => boolean) {
    this.#language = language;
    this.#isTest = isTest;
    this.#modules = new ModuleTree(language, isTest);
    this.#classes = new ClassHierarchy(this.#world());
  }

  #world() {
    return { language: this.#language, modules: this.#modules, files: this.#files };
  }

  /**
   * Adds, replaces or removes (`null`) files. Returns the paths whose edges may have changed since they
   * were last resolved, the given ones included, also the removed.
   */
  update(files: ReadonlyMap<string, GraphFile | null>): Set<string> {
    const names = new Map<string, Set<string>>();
    const modules = new Set<string>();
    for (const [path, file] of files) names.set(path, this.#replace(path, file, modules));
    this.#classes.clear();

    const affected = new Set(files.keys());
    for (const path of affected) this.#reads.delete(path);
    const anyName = new Set<string>();
    for (const changed of names.values()) for (const name of changed) anyName.add(name);
    for (const [path, reads] of this.#reads)
      if (isAffected(reads, names, anyName, modules)) affected.add(path);
    return affected;
  }

  /** Puts a file in place of its last version; returns the names on which they differ for other files. */
  #replace(path: string, file: GraphFile | null, modules: Set<string>): Set<string> {
    const before = this.#files.get(path);
    const after = file && new FileIndex(file, this.#language);
    if (before) this.#forget(before);
    if (after) {
      this.#files.set(path, after);
      this.#modules.add(path, modules);
      for (const definition of after.definitions)
        if (this.#isGuessable(definition))
          getOrAdd(this.#functions, definition.name, () => new Set<Definition>()).add(definition);
    } else {
      this.#files.delete(path);
      this.#modules.remove(path, modules);
    }
    if (before && after) return changedNames(before, after);
    if (this.#reads.size === 0) return new Set();
    return new Set((before ?? after)?.visibleFacts().keys());
  }

  #forget(file: FileIndex): void {
    for (const definition of file.definitions) {
      const same = this.#functions.get(definition.name);
      if (same?.delete(definition) && same.size === 0) this.#functions.delete(definition.name);
    }
  }

  #isGuessable({ kind, name }: Definition): boolean {
    return (kind === 'function' || kind === 'method') && !this.#language.commonNames.has(name);
  }

  /** The edges whose caller is in this file; none for a file that is not there. */
  resolve(path: string): ResolvedEdge[] {
    const file = this.#files.get(path);
    if (!file) return [];
    const reads = new Reads();
    this.#reads.set(path, reads);
    const evaluator = new Evaluator(this.#world(), file, reads, (definition) =>
      this.#classes.lineage(definition),
    );
    const edges = new EdgeList();
    for (const reference of file.facts.references) {
      const caller = file.definitions[reference.scope]!;
      // Decorators and bases are evaluated in the scope around the definition they belong to.
      const isOuter = reference.kind === 'decorate' || reference.kind === 'inherit';
      const scope = isOuter ? (caller.parent?.index ?? file.moduleScope) : reference.scope;
      const values = evaluator.chain(file, scope, reference.chain);
      const targets = this.#targets(values, reference.kind, evaluator);
      for (const target of targets) edges.add(caller, target, false, reference);
      if (values.length > 0) continue;
      const guess = this.#guess(file, reference, reads);
      if (guess) edges.add(caller, { definition: guess, kind: 'call' }, true, reference);
    }
    for (const definition of edges.callees()) reads.callees.add(definition.file.path);
    return edges.finish();
  }

  #targets(values: Values, kind: EdgeKind, evaluator: Evaluator): Target[] {
    return values.flatMap((value) => this.#target(value, kind, evaluator));
  }

  #target(value: Value, kind: EdgeKind, evaluator: Evaluator): Target[] {
    const isCall = kind === 'call' || kind === 'construct';
    switch (value.kind) {
      case 'class':
        return [{ definition: value.definition, kind: isCall ? 'construct' : kind }];
      case 'function':
        if (kind === 'inherit') return [];
        return [{ definition: value.definition, kind: isCall ? 'call' : kind }];
      case 'instance': {
        if (kind === 'inherit') return [];
        const method = evaluator.attribute([value], this.#language.callMethod);
        return method.flatMap((found) =>
          found.kind === 'function'
            ? [{ definition: found.definition, kind: isCall ? ('call' as const) : kind }]
            : [],
        );
      }
      default:
        return [];
    }
  }

  /** The only function of that name, for a call on a receiver of which nothing is known. */
  #guess(file: FileIndex, { chain, kind }: ReferenceFact, reads: Reads): Definition | null {
    if (chain.length < 2 || (kind !== 'call' && kind !== 'construct')) return null;
    const name = chain.at(-1)!;
    if (this.#language.commonNames.has(name)) return null;
    reads.guesses.add(name);
    const candidates = this.#functions.get(name);
    if (!candidates) return null;
    const fromTest = this.#isTest(file.path);
    let found: Definition | null = null;
    for (const candidate of candidates) {
      if (!fromTest && this.#isTest(candidate.file.path)) continue;
      if (found) return null;
      found = candidate;
    }
    return found;
  }
}

function isAffected(
  reads: Reads,
  names: ReadonlyMap<string, Set<string>>,
  anyName: ReadonlySet<string>,
  modules: ReadonlySet<string>,
): boolean {
  if (intersects(modules, reads.modules) || intersects(anyName, reads.guesses)) return true;
  for (const [path, changed] of names) {
    if (reads.callees.has(path)) return true;
    if (reads.files.has(path) && (changed.has('*') || intersects(changed, reads.names)))
      return true;
  }
  return false;
}

function intersects(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const item of small) if (large.has(item)) return true;
  return false;
}

/** Collects call sites into one edge for each caller, callee and kind. */
class EdgeList {
  readonly #edges: ResolvedEdge[] = [];
  readonly #byCaller = new Map<Definition, Map<Definition, ResolvedEdge[]>>();
  readonly #callees = new Set<Definition>();

  add(
    caller: Definition,
    { definition, kind }: Target,
    guess: boolean,
    { line, column }: ReferenceFact,
  ): void {
    const byCallee = getOrAdd(this.#byCaller, caller, () => new Map<Definition, ResolvedEdge[]>());
    const edges = getOrAdd(byCallee, definition, () => []);
    let edge = edges.find((one) => one.kind === kind);
    if (!edge) {
      edge = {
        caller: caller.file.chunkIds[caller.index]!,
        callee: definition.file.chunkIds[definition.index]!,
        kind,
        guess,
        sites: [],
      };
      edges.push(edge);
      this.#edges.push(edge);
      this.#callees.add(definition);
    }
    edge.guess &&= guess;
    // Two values of one reference can share a target: they follow each other.
    const last = edge.sites.at(-1);
    if (last?.line !== line || last.column !== column) edge.sites.push({ line, column });
  }

  callees(): Iterable<Definition> {
    return this.#callees;
  }

  finish(): ResolvedEdge[] {
    for (const { sites } of this.#edges)
      sites.sort((a, b) => a.line - b.line || a.column - b.column);
    return this.#edges;
  }
}
