import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkKind } from '../../shared/chunk-kind.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import type {
  ArityFact,
  BindingFact,
  FileFacts,
  ImportFact,
  ReferenceFact,
} from '../languages/facts.ts';
import type { GraphRules } from '../languages/language.ts';
import type { GraphFile } from './types.ts';

/** A chunk with the facts that the call graph needs. */
export interface GraphDefinition {
  readonly file: FileIndex;
  readonly index: number;
  readonly name: string;
  readonly qualifiedName: string;
  /** Position among the definitions with the same qualified name in the file, from 0. */
  readonly ordinal: number;
  readonly kind: ChunkKind;
  readonly parent: GraphDefinition | null;
  /** Name of the type that it belongs to although it is declared outside it; empty for all others. */
  readonly owner: string;
  /** Name of the type that an extension function extends; empty for all others. */
  readonly extended: string;
  /** Methods and nested classes by name, all definitions of each in order; empty unless a class. */
  readonly members: ReadonlyMap<string, GraphDefinition[]>;
  readonly attributes: ReadonlyMap<string, BindingFact[]>;
  /** Base classes as written, in order. */
  readonly bases: readonly ReferenceFact[];
  readonly isProperty: boolean;
  /** Number of arguments it takes; null if unknown. */
  readonly arity: ArityFact | null;
  readonly returns: readonly BindingFact[];
}

export interface GraphScope {
  readonly imports: ReadonlyMap<string, ImportFact[]>;
  readonly stars: readonly ImportFact[];
  readonly bindings: ReadonlyMap<string, BindingFact[]>;
  /** Names bound here without further facts: parameters, loop variables, nested functions. */
  readonly locals: ReadonlySet<string>;
}

const EMPTY_MAP: ReadonlyMap<string, never[]> = new Map();
const EMPTY_LIST: readonly never[] = [];
const NO_NAMES: ReadonlySet<string> = new Set();

/** One file's definitions and bindings, indexed by name. Immutable. */
export class FileIndex {
  readonly path: string;
  readonly isTest: boolean;
  readonly chunkIds: readonly number[];
  readonly facts: FileFacts;
  readonly definitions: readonly GraphDefinition[];
  readonly scopes: readonly GraphScope[];
  readonly namespace: string | null;
  /** Definitions outside any class by name, in order, without parts of types. */
  readonly top: ReadonlyMap<string, GraphDefinition[]> = EMPTY_MAP;
  readonly parts: ReadonlyMap<string, GraphDefinition[]> = EMPTY_MAP;
  /** Extension functions outside classes, by name. */
  readonly extensions: ReadonlyMap<string, GraphDefinition[]> = EMPTY_MAP;
  readonly moduleScope: number;
  readonly #heritage: readonly ReferenceFact[];

  constructor(file: GraphFile, rules: GraphRules, isTest: boolean) {
    this.path = file.path;
    this.isTest = isTest;
    this.chunkIds = file.chunkIds;
    this.facts = file.facts;
    this.#heritage = file.heritage ?? file.facts.references;
    this.namespace = rules.namespace?.of(file.path, file.facts.namespace) ?? null;
    this.moduleScope = file.chunks.findIndex((chunk) => chunk.kind === 'module');
    this.scopes = createScopes(file);
    this.definitions = createDefinitions(this, file, rules);
    for (const definition of this.definitions) {
      const { owner, extended, parent, kind, name } = definition;
      if (extended !== '' && parent === null)
        this.extensions = addToMap(this.extensions, name, definition);
      else if (owner !== '') this.parts = addToMap(this.parts, owner, definition);
      else if (parent === null && kind !== 'module' && !isBlock(definition))
        this.top = addToMap(this.top, name, definition);
    }
  }

  getDefinition(index: number): GraphDefinition {
    return assertPresent(this.definitions[index], 'the definition of a chunk');
  }

  getScope(index: number): GraphScope {
    return assertPresent(this.scopes[index], 'the scope of a chunk');
  }

  getChunkId({ index }: GraphDefinition): number {
    return assertPresent(this.chunkIds[index], 'the id of a chunk');
  }

  definesName(name: string): boolean {
    const { imports, bindings, locals } = this.getScope(this.moduleScope);
    return this.top.has(name) || imports.has(name) || bindings.has(name) || locals.has(name);
  }

  /** Returns the names of definitions and variables that the module declares for its namespace. */
  listDeclaredNames(): Set<string> {
    const { bindings } = this.getScope(this.moduleScope);
    return new Set([...this.top.keys(), ...bindings.keys(), ...this.extensions.keys()]);
  }

  /** Returns everything that other files can find in this one, by the name that they look up. */
  collectVisibleFacts(): Map<string, string> {
    const facts = new Map<string, string>();
    const getDefinition = (scope: number) => this.getDefinition(scope);
    const identify = (scope: number) =>
      `${getDefinition(scope).qualifiedName}#${getDefinition(scope).ordinal}`;
    const add = (name: string, fact: string) =>
      facts.set(name, `${facts.get(name) ?? ''}\n${fact}`);
    for (const [index, { name, kind }] of this.definitions.entries())
      add(name, `${kind} ${identify(index)}`);
    for (const { scope, type } of this.facts.owners ?? []) {
      add(getDefinition(scope).name, `part ${identify(scope)} ${type}`);
      add(type, `part ${identify(scope)}`);
    }
    for (const { scope, type } of this.facts.extensions ?? [])
      add(getDefinition(scope).name, `extension ${identify(scope)} ${type}`);
    for (const { scope, least, most, types, result } of this.facts.arities ?? [])
      add(
        getDefinition(scope).name,
        `arity ${identify(scope)} ${least} ${most} ${types} ${result}`,
      );
    for (const { scope, kind, chain } of this.#heritage)
      if (kind === 'inherit' || kind === 'decorate')
        add(getDefinition(scope).name, `${kind} ${identify(scope)} ${chain.join('.')}`);
    for (const { scope, target, value, how } of this.facts.bindings)
      add(
        how === 'return' ? getDefinition(scope).name : target.slice(target.lastIndexOf('.') + 1),
        `${how} ${identify(scope)} ${target} ${value}`,
      );
    for (const scope of this.facts.properties ?? [])
      add(getDefinition(scope).name, `property ${identify(scope)}`);
    for (const { scope, local, module, level, member } of this.facts.imports)
      add(local, `import ${identify(scope)} ${level} ${module} ${member}`);
    this.scopes.forEach((scope, index) => {
      for (const local of scope.locals) add(local, `local ${identify(index)}`);
    });
    return facts;
  }
}

/** Returns true for a block of a template, which no name calls. */
export function isBlock({ kind, isProperty }: GraphDefinition): boolean {
  return kind === 'function' && isProperty;
}

/** Returns the names on which two versions of a file differ for other files. */
export function findChangedNames(before: FileIndex, after: FileIndex): Set<string> {
  // In another namespace, none of the file's names is found in its old namespace any more.
  if (before.namespace !== after.namespace) {
    return new Set([
      ...before.collectVisibleFacts().keys(),
      ...after.collectVisibleFacts().keys(),
      '*',
    ]);
  }
  const [old, now] = [before.collectVisibleFacts(), after.collectVisibleFacts()];
  const names = new Set([...old.keys(), ...now.keys()]);
  return new Set([...names].filter((name) => old.get(name) !== now.get(name)));
}

/** A scope that is being filled. Most scopes bind hardly anything, so a map is created only for its first entry. */
class ScopeDraft implements GraphScope {
  imports: ReadonlyMap<string, ImportFact[]> = EMPTY_MAP;
  stars: readonly ImportFact[] = EMPTY_LIST;
  bindings: ReadonlyMap<string, BindingFact[]> = EMPTY_MAP;
  locals: ReadonlySet<string> = NO_NAMES;

  import(fact: ImportFact): void {
    if (fact.member === '*') this.stars = [...this.stars, fact];
    else this.imports = addToMap(this.imports, fact.local, fact);
  }

  bind(fact: BindingFact): void {
    this.bindings = addToMap(this.bindings, fact.target, fact);
  }
}

/** Adds a value to the list of a name. Returns the map, or a new one instead of `NOTHING`. */
function addToMap<T>(
  map: ReadonlyMap<string, T[]>,
  name: string,
  value: T,
): ReadonlyMap<string, T[]> {
  if (map === EMPTY_MAP) return new Map([[name, [value]]]);
  appendTo(map as Map<string, T[]>, name, value);
  return map;
}

const NO_SCOPE: GraphScope = new ScopeDraft();

function createScopes(file: GraphFile): GraphScope[] {
  const { imports, bindings, locals = [] } = file.facts;
  const scopes: ScopeDraft[] = [];
  const at = (index: number) => (scopes[index] ??= new ScopeDraft());
  for (const fact of imports) at(fact.scope).import(fact);
  for (const fact of bindings)
    if (fact.how !== 'return' && !fact.target.includes('.')) at(fact.scope).bind(fact);
  for (const { scope, names } of locals) at(scope).locals = new Set(names);
  return Array.from(file.chunks, (_, index) => scopes[index] ?? NO_SCOPE);
}

interface ClassDraft {
  members: Map<string, GraphDefinition[]>;
  attributes: ReadonlyMap<string, BindingFact[]>;
  bases: readonly ReferenceFact[];
}

function createDefinitions(
  index: FileIndex,
  file: GraphFile,
  rules: GraphRules,
): GraphDefinition[] {
  const { chunks, facts } = file;
  const drafts = chunks.map((chunk): ClassDraft | null =>
    chunk.kind === 'class'
      ? { members: new Map(), attributes: EMPTY_MAP, bases: EMPTY_LIST }
      : null,
  );
  const properties = new Set(facts.properties);
  for (const reference of file.heritage ?? facts.references) {
    const { kind, scope, chain } = reference;
    const draft = drafts[scope];
    if (kind === 'inherit' && draft) draft.bases = [...draft.bases, reference];
    const isProperty = rules.propertyDecorators.includes(chain.at(-1) ?? '');
    if (kind === 'decorate' && isProperty) properties.add(scope);
  }

  const returns = new Map<number, BindingFact[]>();
  for (const fact of facts.bindings) {
    if (fact.how === 'return') {
      appendTo(returns, fact.scope, fact);
      continue;
    }
    const owner = findAttributeOwner(file, fact, rules);
    const draft = owner && drafts[owner.chunk];
    if (draft) draft.attributes = addToMap(draft.attributes, owner.name, fact);
  }

  const arities = new Map(facts.arities?.map((arity) => [arity.scope, arity]));
  const owners = new Map(facts.owners?.map(({ scope, type }) => [scope, type]));
  const extended = new Map(facts.extensions?.map(({ scope, type }) => [scope, type]));
  const definitions: GraphDefinition[] = [];
  for (const [position, chunk] of chunks.entries()) {
    const draft = drafts[position];
    // A class comes before its members.
    const parent = chunk.parent < 0 ? null : (definitions[chunk.parent] ?? null);
    const definition: GraphDefinition = {
      file: index,
      index: position,
      name: chunk.name,
      qualifiedName: chunk.qualifiedName,
      ordinal: chunk.ordinal,
      kind: chunk.kind,
      parent,
      owner: owners.get(position) ?? '',
      extended: extended.get(position) ?? '',
      members: draft?.members ?? EMPTY_MAP,
      attributes: draft?.attributes ?? EMPTY_MAP,
      bases: draft?.bases ?? EMPTY_LIST,
      isProperty: properties.has(position),
      arity: arities.get(position) ?? null,
      returns: returns.get(position) ?? EMPTY_LIST,
    };
    definitions.push(definition);
    const siblings = parent && drafts[parent.index]?.members;
    if (siblings) appendTo(siblings, chunk.name, definition);
  }
  return definitions;
}

/** Returns the class and attribute that a binding sets: `x` in a class body, `self.x` in a method. */
function findAttributeOwner(
  file: GraphFile,
  fact: BindingFact,
  rules: GraphRules,
): { chunk: number; name: string } | null {
  const chunk = assertPresent(file.chunks[fact.scope], 'the chunk of a binding');
  const dot = fact.target.indexOf('.');
  if (dot < 0) return chunk.kind === 'class' ? { chunk: fact.scope, name: fact.target } : null;
  const receiver = fact.target.slice(0, dot);
  const name = fact.target.slice(dot + 1);
  const isReceiver = rules.instanceNames.includes(receiver) || rules.classNames.includes(receiver);
  if (chunk.kind !== 'method' || chunk.parent < 0 || !isReceiver || name.includes('.')) return null;
  return { chunk: chunk.parent, name };
}
