import type { EdgeKind } from '../../shared/call-graph.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import type { ManifestEntry, ReferenceFact, RegistrationFact } from '../languages/facts.ts';
import type { GraphRules } from '../languages/language.ts';
import type { ModuleResolver } from '../languages/modules.ts';
import { ArgumentTypes } from './argument-types.ts';
import { ClassHierarchy } from './classes.ts';
import { Evaluator } from './evaluator.ts';
import { FileIndex, findChangedNames, type GraphDefinition } from './file-index.ts';
import type { GraphState } from './graph-state.ts';
import { MethodNames } from './method-names.ts';
import { formatNamespaceKey, Namespaces } from './namespaces.ts';
import { chooseOverloads, findOverloads, type OverloadChoice } from './overloads.ts';
import { GraphChanges, ReadSet } from './read-set.ts';
import { StepBudget } from './step-budget.ts';
import type { CallResolver, FileResolution, GraphFile, ResolvedEdge } from './types.ts';
import type { AbstractValues } from './values.ts';

/** Step budgets: for all references of a file, and for one of them. lab/notes/2026-11-28-call-graph.md gives typical numbers. */
const MAX_FILE_STEPS = 2_000_000;
const MAX_REFERENCE_STEPS = 100_000;
/** Resolving pauses after about this many steps, which take some tenths of a millisecond. */
const PAUSE_STEPS = 500;

/**
 * The call resolver for the files of one language.
 *
 * A reference is resolved through scopes, imports, classes and the types of receivers. If nothing is known of a receiver
 * and only one method has the name, the edge to that method is marked as a guess.
 *
 * The edges of each file remember the facts that they depend on (`ReadSet`), so a change tells which files it affects.
 *
 * A repository may be written to exhaust a resolver. So there are step budgets for a file, for each reference and for the
 * data they share, and recursion depth is bounded.
 */
export class LanguageGraph implements CallResolver {
  readonly rules: GraphRules;
  /** Graphs of other languages, in which functions were looked up. */
  readonly hosts = new Set<LanguageGraph>();
  readonly #isTest: (path: string) => boolean;
  readonly #files = new Map<string, FileIndex>();
  readonly #manifests = new Map<string, string>();
  readonly #modules: ModuleResolver;
  readonly #namespaces: Namespaces;
  readonly #world: GraphState;
  readonly #classes: ClassHierarchy;
  readonly #reads = new Map<string, ReadSet>();
  readonly #methods: MethodNames;
  #changes = new GraphChanges();
  /** True once another graph has looked up a function here. */
  #isHost = false;

  constructor(rules: GraphRules, isTest: (path: string) => boolean) {
    this.rules = rules;
    this.#isTest = isTest;
    this.#namespaces = new Namespaces(rules);
    this.#modules = rules.createResolver(isTest, (name) => this.#namespaces.has(name));
    const [modules, namespaces, files] = [this.#modules, this.#namespaces, this.#files];
    this.#world = { rules, modules, namespaces, files };
    this.#classes = new ClassHierarchy(this.#world);
    this.#methods = new MethodNames(this.#classes, this.#namespaces, rules);
  }

  /** Adds, replaces or removes (`null`) a file. If it throws, nothing has changed. */
  put(path: string, file: GraphFile | null): void {
    const entries = file?.facts.manifest?.entries ?? null;
    if (entries || this.#manifests.has(path)) this.#updateManifest(path, entries);
    else this.#putSource(path, file);
    this.#classes.clear();
    this.#methods.clear();
  }

  /** Passes on a manifest's entries if they changed. Most edits of a manifest change something else. */
  #updateManifest(path: string, entries: readonly ManifestEntry[] | null): void {
    const serialized = entries && JSON.stringify(entries);
    if (this.#manifests.get(path) === serialized) return;
    if (serialized === null) this.#manifests.delete(path);
    else this.#manifests.set(path, serialized);
    this.#modules.updateManifest?.(path, entries, this.#changes.modules);
  }

  #putSource(path: string, file: GraphFile | null): void {
    const before = this.#files.get(path);
    const after = file && new FileIndex(file, this.rules, this.#isTest(path));
    const names = [...this.#findChangedNames(before, after)];
    this.#changes.add(path, names);
    for (const file of [before, after]) this.#touchNamespace(file?.namespace, names);
    if (before?.namespace !== after?.namespace)
      // References by the name of the namespace may start or stop resolving.
      for (const file of [before, after])
        if (file && file.namespace !== null) this.#changes.modules.add(file.namespace);
    if (before) {
      this.#methods.remove(before);
      this.#namespaces.remove(before);
    }
    if (after) {
      this.#namespaces.add(after);
      this.#files.set(path, after);
      this.#modules.add(path, this.#changes.modules);
      this.#methods.add(after);
    } else {
      this.#files.delete(path);
      this.#modules.remove(path, this.#changes.modules);
    }
    this.#reads.delete(path);
  }

  #touchNamespace(namespace: string | null | undefined, names: readonly string[]): void {
    if (namespace === null || namespace === undefined) return;
    for (const name of names) this.#changes.modules.add(formatNamespaceKey(namespace, name));
  }

  #findChangedNames(before: FileIndex | undefined, after: FileIndex | null): Iterable<string> {
    if (before && after) return findChangedNames(before, after);
    // Nothing is resolved yet, so nothing can depend on a name.
    if (this.#reads.size === 0 && !this.#isHost) return [];
    return (before ?? after)?.collectVisibleFacts().keys() ?? [];
  }

  *takeAffected(): Stepwise<Set<string>> {
    return yield* this.findAffected(this.takeChanges());
  }

  /** Returns the changes since the last call. */
  takeChanges(): GraphChanges {
    const changes = this.#changes;
    this.#changes = new GraphChanges();
    return changes;
  }

  /** Returns the paths whose edges may have changed with these changes of this graph, and of its hosts. */
  *findAffected(own: GraphChanges, ofHosts: readonly GraphChanges[] = []): Stepwise<Set<string>> {
    const affected = new Set(own.paths);
    const changes = [own, ...ofHosts];
    for (const [path, reads] of this.#reads) {
      if (changes.some((one) => one.affects(reads))) affected.add(path);
      yield 1;
    }
    return affected;
  }

  /** @param host graph of the language whose functions a template calls */
  *resolve(path: string, host: LanguageGraph | null = null): Stepwise<FileResolution> {
    const file = this.#files.get(path);
    if (!file) return { edges: [], steps: 0, cut: false };
    if (host) this.hosts.add(host);
    const reads = new ReadSet();
    this.#reads.set(path, reads);
    const budget = new StepBudget(MAX_FILE_STEPS);
    budget.cut = file.facts.omitted !== undefined;
    const evaluator = new Evaluator(this.#world, file, reads, budget, (definition) =>
      this.#classes.getLineage(definition),
    );
    const { conversions } = this.rules;
    const types = conversions ? new ArgumentTypes(evaluator, conversions, budget) : null;
    const listBases = function* (type: GraphDefinition) {
      const [, ...bases] = evaluator.getLineage(type).order;
      for (const base of bases) {
        budget.spend();
        yield base;
      }
    };
    const choose = (callee: GraphDefinition, reference: ReferenceFact): OverloadChoice => {
      const findCandidates = () =>
        findOverloads(callee, reference, this.#namespaces, reads, listBases);
      const meant = budget.attempt(findCandidates, MAX_REFERENCE_STEPS) ?? [];
      const choice =
        types &&
        budget.attempt(() => chooseOverloads(meant, reference, file, types), MAX_REFERENCE_STEPS);
      return choice ?? { meant, isGuess: meant.length > 1 };
    };
    const edges = new EdgeList();
    let yielded = 0;
    for (const reference of file.facts.references) {
      if (budget.isSpent) break;
      const caller = file.getDefinition(reference.scope);
      const targets = budget.attempt(
        () => this.#evaluateTargets(file, reference, evaluator),
        MAX_REFERENCE_STEPS,
      );
      this.#addEdges(edges, targets ?? [], reference, caller, choose);
      if (targets === null) {
        const guess =
          (yield* this.#guessTarget(file, reference, reads)) ??
          (host && reference.host
            ? yield* host.guessForTemplate(reference, file.isTest, reads)
            : null);
        if (guess)
          edges.add(caller, guess, guess.kind === 'class' ? 'construct' : 'call', true, reference);
      }
      if (budget.spent - yielded < PAUSE_STEPS) continue;
      yield budget.spent - yielded;
      yielded = budget.spent;
    }
    yield* this.#addRegistrations(edges, file, evaluator, budget, reads);
    for (const definition of edges.callees) reads.addCallee(definition.file);
    return { edges: edges.finish(), steps: budget.spent, cut: budget.cut };
  }

  /** Adds edges from where functions are registered to these functions. A handler that is unknown has no edge. */
  *#addRegistrations(
    edges: EdgeList,
    file: FileIndex,
    evaluator: Evaluator,
    budget: StepBudget,
    reads: ReadSet,
  ): Stepwise<void> {
    for (const fact of file.facts.registrations ?? []) {
      if (budget.isSpent) return;
      const caller = file.getDefinition(fact.scope);
      const before = budget.spent;
      const handlers = fact.handler
        ? (budget.attempt(() => findHandlers(file, fact, evaluator), MAX_REFERENCE_STEPS) ?? null)
        : [{ definition: caller, isGuess: false }];
      for (const { definition, isGuess } of handlers ?? [])
        edges.add(caller, definition, 'register', isGuess, fact);
      if (handlers === null) {
        const guess = yield* this.#guessHandler(file, fact, reads);
        if (guess) edges.add(caller, guess, 'register', true, fact);
      }
      yield budget.spent - before;
    }
  }

  /** Guesses the method of an unknown object that handles something: `this.users.show`. */
  *#guessHandler(
    { isTest }: FileIndex,
    { handler = [], member }: RegistrationFact,
    reads: ReadSet,
  ): Stepwise<GraphDefinition | null> {
    const name = handler.at(-1) ?? '';
    if (member !== undefined || handler.length < 2 || this.rules.commonNames.has(name)) return null;
    reads.addGuess(name);
    const answer = yield* this.#methods.findOnly(name, isTest);
    reads.include(answer.reads);
    return answer.method;
  }

  /** Evaluates the targets of a reference; null if nothing is known of it. */
  #evaluateTargets(
    file: FileIndex,
    reference: ReferenceFact,
    evaluator: Evaluator,
  ): AbstractValues | null {
    const { chain, kind, scope } = reference;
    if (this.rules.knowsOnlyNames) return null;
    // Decorators and bases are evaluated in the scope around their definition.
    const isOuter = kind === 'decorate' || kind === 'inherit';
    const around = file.getDefinition(scope).parent?.index ?? file.moduleScope;
    const values = isOuter
      ? evaluator.evaluateChain(file, around, chain)
      : evaluator.evaluateCallee(file, scope, chain, reference.receivers ?? []);
    if (values.length === 0) return null;
    // A variable that a template does not bind comes from the code around it.
    const isLinked = reference.host || (this.rules.linksByName && chain.length === 1);
    if (isLinked && values.every(({ kind }) => kind === 'outside')) return null;
    const meant = isOuter ? values : excludeTypes(values);
    // Calling an object runs the call method of its class.
    return meant.flatMap((value) =>
      value.kind === 'instance'
        ? evaluator.evaluateAttribute([value], this.rules.callMethod)
        : [value],
    );
  }

  #addEdges(
    edges: EdgeList,
    values: AbstractValues,
    reference: ReferenceFact,
    caller: GraphDefinition,
    choose: (callee: GraphDefinition, reference: ReferenceFact) => OverloadChoice,
  ): void {
    const isCall = reference.kind === 'call' || reference.kind === 'construct';
    const callees = values.flatMap((value) => {
      if (value.kind !== 'class' && value.kind !== 'function') return [];
      if (!isCall) return [{ value, meant: [value.definition], isGuess: false }];
      return [{ value, ...choose(value.definition, reference) }];
    });
    const fitting = callees.filter(({ meant }) => meant.length > 0);
    const fittingExtensions = fitting.filter(({ value }) => value.definition.extended !== '');
    for (const { value, meant, isGuess: isOneOfSeveral } of callees) {
      if (reference.kind === 'inherit' && value.kind !== 'class') continue;
      // No overload takes as many arguments: either they were miscounted, or another function is meant.
      const isMeant = fitting.length === 0 && value.definition.extended === '';
      const targets = isMeant ? [value.definition] : meant;
      // Several overloads can take the arguments, and it is unknown which one is meant.
      const isGuess =
        isOneOfSeveral ||
        fittingExtensions.length > 1 ||
        (value.kind === 'function' && isMeant) ||
        value.guess === true;
      for (const one of targets) {
        const kind = !isCall ? reference.kind : one.kind === 'class' ? 'construct' : 'call';
        edges.add(caller, one, kind, isGuess, reference);
      }
    }
  }

  /** Guesses the function that a name in a template of another language means: the only one of its name. */
  *guessForTemplate(
    { chain }: ReferenceFact,
    fromTest: boolean,
    reads: ReadSet,
  ): Stepwise<GraphDefinition | null> {
    this.#isHost = true;
    const name = chain.at(-1) ?? '';
    if (this.rules.commonNames.has(name)) return null;
    reads.addGuess(name);
    if (chain.length === 1) return this.#methods.findForTemplate(name, fromTest);
    const answer = yield* this.#methods.findOnly(name, fromTest);
    reads.include(answer.reads);
    return answer.method;
  }

  /** Guesses the method that a name means on an unknown object, or the function that a language links by name. */
  *#guessTarget(
    file: FileIndex,
    { chain, kind }: ReferenceFact,
    reads: ReadSet,
  ): Stepwise<GraphDefinition | null> {
    const name = chain.at(-1);
    const { knowsOnlyNames, linksByName } = this.rules;
    const isLinked = linksByName && chain.length === 1;
    if (name === undefined || (chain.length < 2 && !isLinked && !knowsOnlyNames)) return null;
    if (kind !== 'call' && kind !== 'construct') return null;
    if (this.rules.commonNames.has(name)) return null;
    reads.addGuess(name);
    if (knowsOnlyNames) return this.#methods.findNamed(name, file).method;
    const answer = isLinked
      ? this.#methods.findLinked(name, file.isTest)
      : yield* this.#methods.findOnly(name, file.isTest);
    reads.include(answer.reads);
    return answer.method;
  }
}

/** Finds the functions and classes that a handler means; null if nothing is known of it. */
function findHandlers(
  file: FileIndex,
  fact: RegistrationFact,
  evaluator: Evaluator,
): { definition: GraphDefinition; isGuess: boolean }[] | null {
  const { scope, handler = [], member } = fact;
  const values =
    member === undefined
      ? evaluator.evaluateChain(file, scope, handler, true)
      : findHandlerMembers(file, fact, evaluator);
  if (values.length === 0) return null;
  return values.flatMap((value) =>
    value.kind === 'function' || value.kind === 'class'
      ? [{ definition: value.definition, isGuess: value.guess === true }]
      : [],
  );
}

/** Finds the method of a class that a name in a string means, such as `admin/users#index`. */
function findHandlerMembers(
  file: FileIndex,
  { scope, handler = [], member = '' }: RegistrationFact,
  evaluator: Evaluator,
): AbstractValues {
  const whole = evaluator.evaluateChain(file, scope, handler);
  const named = evaluator.evaluateChain(file, scope, handler.slice(-1));
  // A class that is defined as `class Admin::Users` has its own name only.
  const exact = named.filter(
    (value) => 'definition' in value && value.definition.qualifiedName === handler.join('.'),
  );
  const types = exact.length > 0 ? exact : whole;
  if (member === '') return types;
  const own = exact.flatMap((type) =>
    type.kind === 'class' ? (type.definition.members.get(member)?.slice(-1) ?? []) : [],
  );
  if (own.length > 0)
    return own.map((definition) => ({ kind: 'function', definition, receiver: null }));
  return types.flatMap((type) =>
    type.kind === 'class'
      ? evaluator.evaluateAttribute([{ ...type, kind: 'instance' }], member, true)
      : [],
  );
}

/** Leaves out types that share their name with a function nearby: a call means the function. */
function excludeTypes(values: AbstractValues): AbstractValues {
  if (values.length < 2) return values;
  return values.filter(
    (value) =>
      value.kind !== 'class' ||
      !values.some(
        (other) =>
          other.kind === 'function' &&
          isNear(other.definition.file, value.definition.file) &&
          other.definition.name === value.definition.name,
      ),
  );
}

function isNear(one: FileIndex, other: FileIndex): boolean {
  return one === other || (one.namespace !== null && one.namespace === other.namespace);
}

/** Collects call sites into one edge for each caller, callee and kind. */
class EdgeList {
  readonly #edges: ResolvedEdge[] = [];
  readonly #byCaller = new Map<GraphDefinition, Map<GraphDefinition, ResolvedEdge[]>>();
  readonly callees = new Set<GraphDefinition>();

  add(
    caller: GraphDefinition,
    callee: GraphDefinition,
    kind: EdgeKind,
    guess: boolean,
    { line, column, ...fact }: ReferenceFact | RegistrationFact,
  ): void {
    const byCallee = getOrAdd(
      this.#byCaller,
      caller,
      () => new Map<GraphDefinition, ResolvedEdge[]>(),
    );
    const edges = getOrAdd(byCallee, callee, () => []);
    let edge = edges.find((one) => one.kind === kind);
    if (!edge) {
      const ends = {
        caller: caller.file.getChunkId(caller),
        callee: callee.file.getChunkId(callee),
      };
      edge = { ...ends, kind, guess, sites: [], ...('key' in fact && { registered: [] }) };
      edges.push(edge);
      this.#edges.push(edge);
      this.callees.add(callee);
    }
    edge.guess &&= guess;
    if ('key' in fact) {
      // Facts are in the order of the text, and one place may register a function under several keys.
      edge.registered?.push({ kind: fact.kind, key: fact.key });
      edge.sites.push({ line, column });
      return;
    }
    // Two values of one reference can have the same target; they are added one after the other.
    const last = edge.sites.at(-1);
    if (last?.line !== line || last.column !== column) edge.sites.push({ line, column });
  }

  finish(): ResolvedEdge[] {
    for (const { sites } of this.#edges)
      sites.sort((a, b) => a.line - b.line || a.column - b.column);
    return this.#edges;
  }
}
