import type { EdgeKind } from '../../shared/types.ts';
import type { ReferenceFact } from '../parse/types.ts';
import { ClassHierarchy } from './classes.ts';
import { Evaluator } from './evaluator.ts';
import { changedNames, type Definition, FileIndex } from './file-index.ts';
import type { GraphLanguage } from './language.ts';
import { MethodNames } from './method-names.ts';
import { getOrAdd, ModuleTree } from './modules.ts';
import { Reads } from './reads.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from './types.ts';
import type { Value, Values } from './values.ts';

/**
 * The call resolver for the files of one language.
 *
 * A reference is resolved through scopes, imports, classes and the types of receivers. Only where
 * nothing is known of a receiver, and its name alone gives a method away, is that taken for the target,
 * marked as a guess.
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
  readonly #methods: MethodNames;

  /** `isTest(path)`: whether a file is test code, which other code does not call. */
  constructor(language: GraphLanguage, isTest: (path: string) => boolean) {
    this.#language = language;
    this.#isTest = isTest;
    this.#modules = new ModuleTree(language, isTest);
    this.#classes = new ClassHierarchy(this.#world());
    this.#methods = new MethodNames(this.#classes, language.commonNames);
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
    this.#methods.clear();

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
    const after = file && new FileIndex(file, this.#language, this.#isTest(path));
    if (before) this.#methods.remove(before);
    if (after) {
      this.#files.set(path, after);
      this.#modules.add(path, modules);
      this.#methods.add(after);
    } else {
      this.#files.delete(path);
      this.#modules.remove(path, modules);
    }
    if (before && after) return changedNames(before, after);
    if (this.#reads.size === 0) return new Set();
    return new Set((before ?? after)?.visibleFacts().keys());
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
      for (const value of values) {
        const called = this.#called(value, evaluator);
        for (const one of called) this.#addEdge(edges, one, reference, caller);
      }
      if (values.length > 0) continue;
      const guess = this.#guess(file, reference, reads);
      if (guess) edges.add(caller, guess, 'call', true, reference);
    }
    for (const definition of edges.callees()) reads.callees.add(definition.file.path);
    return edges.finish();
  }

  /** What runs when a value is called: of an object, its class's call method. */
  #called(value: Value, evaluator: Evaluator): Values {
    return value.kind === 'instance'
      ? evaluator.attribute([value], this.#language.callMethod)
      : [value];
  }

  #addEdge(edges: EdgeList, value: Value, reference: ReferenceFact, caller: Definition): void {
    if (value.kind !== 'class' && value.kind !== 'function') return;
    const isCall = reference.kind === 'call' || reference.kind === 'construct';
    const kind = !isCall ? reference.kind : value.kind === 'class' ? 'construct' : 'call';
    if (kind === 'inherit' && value.kind !== 'class') return;
    edges.add(caller, value.definition, kind, false, reference);
  }

  /** The method that its name alone gives away, for a call on an object of which nothing is known. */
  #guess(file: FileIndex, { chain, kind }: ReferenceFact, reads: Reads): Definition | null {
    if (chain.length < 2 || (kind !== 'call' && kind !== 'construct')) return null;
    const name = chain.at(-1)!;
    if (this.#language.commonNames.has(name)) return null;
    const answer = this.#methods.only(name, file.isTest);
    if (!reads.guesses.has(name)) {
      reads.guesses.add(name);
      reads.include(answer.reads);
    }
    return answer.method;
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
    callee: Definition,
    kind: EdgeKind,
    guess: boolean,
    { line, column }: ReferenceFact,
  ): void {
    const byCallee = getOrAdd(this.#byCaller, caller, () => new Map<Definition, ResolvedEdge[]>());
    const edges = getOrAdd(byCallee, callee, () => []);
    let edge = edges.find((one) => one.kind === kind);
    if (!edge) {
      edge = {
        caller: caller.file.chunkIds[caller.index]!,
        callee: callee.file.chunkIds[callee.index]!,
        kind,
        guess,
        sites: [],
      };
      edges.push(edge);
      this.#edges.push(edge);
      this.#callees.add(callee);
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
