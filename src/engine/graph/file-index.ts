import type { ChunkKind } from '../../shared/chunk.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import { present } from '../../shared/present.ts';
import type {
  ArityFact,
  BindingFact,
  FileFacts,
  ImportFact,
  ReferenceFact,
} from '../languages/facts.ts';
import type { GraphRules } from '../languages/language.ts';
import type { GraphFile } from './types.ts';

export interface Definition {
  readonly file: FileIndex;
  readonly index: number;
  readonly name: string;
  readonly qualifiedName: string;
  /** Which it is of those with the same qualified name in the file. */
  readonly ordinal: number;
  readonly kind: ChunkKind;
  readonly parent: Definition | null;
  /** Name of the type that it is a part of though it is declared apart from it; empty for all others. */
  readonly owner: string;
  /** Name of the type for whose objects it is declared though it is no part of it; empty for all others. */
  readonly extended: string;
  /** Methods and nested classes by name, all definitions of each in order; empty unless a class. */
  readonly members: ReadonlyMap<string, Definition[]>;
  readonly attributes: ReadonlyMap<string, BindingFact[]>;
  /** Base classes as written, in order. */
  readonly bases: readonly ReferenceFact[];
  readonly isProperty: boolean;
  /** How many arguments it takes; null where that tells nothing. */
  readonly arity: ArityFact | null;
  readonly returns: readonly BindingFact[];
}

export interface Scope {
  readonly imports: ReadonlyMap<string, ImportFact[]>;
  readonly stars: readonly ImportFact[];
  readonly bindings: ReadonlyMap<string, BindingFact[]>;
  /** Names bound here of which nothing else is known: parameters, loop variables, nested functions. */
  readonly locals: ReadonlySet<string>;
}

const NOTHING: ReadonlyMap<string, never[]> = new Map();
const NOWHERE: readonly never[] = [];
const NO_NAMES: ReadonlySet<string> = new Set();

/** One file's definitions and bindings, arranged for look-up by name. Immutable. */
export class FileIndex {
  readonly path: string;
  readonly isTest: boolean;
  readonly chunkIds: readonly number[];
  readonly facts: FileFacts;
  readonly definitions: readonly Definition[];
  readonly scopes: readonly Scope[];
  readonly namespace: string | null;
  /** Definitions outside any class by name, in order; parts of types aside. */
  readonly top: ReadonlyMap<string, Definition[]> = NOTHING;
  readonly parts: ReadonlyMap<string, Definition[]> = NOTHING;
  /** Functions for objects of types that they are no part of, those in classes aside, by name. */
  readonly extensions: ReadonlyMap<string, Definition[]> = NOTHING;
  readonly moduleScope: number;

  constructor(file: GraphFile, rules: GraphRules, isTest: boolean) {
    this.path = file.path;
    this.isTest = isTest;
    this.chunkIds = file.chunkIds;
    this.facts = file.facts;
    this.namespace = rules.namespace?.of(file.path, file.facts.namespace) ?? null;
    this.moduleScope = file.chunks.findIndex((chunk) => chunk.kind === 'module');
    this.scopes = scopesOf(file);
    this.definitions = definitionsOf(this, file, rules);
    for (const definition of this.definitions) {
      const { owner, extended, parent, kind, name } = definition;
      if (extended !== '' && parent === null)
        this.extensions = including(this.extensions, name, definition);
      else if (owner !== '') this.parts = including(this.parts, owner, definition);
      else if (parent === null && kind !== 'module')
        this.top = including(this.top, name, definition);
    }
  }

  definition(index: number): Definition {
    return present(this.definitions[index], 'the definition of a chunk');
  }

  scope(index: number): Scope {
    return present(this.scopes[index], 'the scope of a chunk');
  }

  chunkId({ index }: Definition): number {
    return present(this.chunkIds[index], 'the id of a chunk');
  }

  defines(name: string): boolean {
    const { imports, bindings, locals } = this.scope(this.moduleScope);
    return this.top.has(name) || imports.has(name) || bindings.has(name) || locals.has(name);
  }

  /** The names that the module itself gives to definitions and variables, for whoever shares its namespace. */
  declaredNames(): Set<string> {
    const { bindings } = this.scope(this.moduleScope);
    return new Set([...this.top.keys(), ...bindings.keys(), ...this.extensions.keys()]);
  }

  /** All that other files can learn of this one, by the name that they would look up. */
  visibleFacts(): Map<string, string> {
    const facts = new Map<string, string>();
    const at = (scope: number) => this.definition(scope);
    const place = (scope: number) => `${at(scope).qualifiedName}#${at(scope).ordinal}`;
    const add = (name: string, fact: string) =>
      facts.set(name, `${facts.get(name) ?? ''}\n${fact}`);
    for (const [index, { name, kind }] of this.definitions.entries())
      add(name, `${kind} ${place(index)}`);
    for (const { scope, type } of this.facts.owners ?? []) {
      add(at(scope).name, `part ${place(scope)} ${type}`);
      add(type, `part ${place(scope)}`);
    }
    for (const { scope, type } of this.facts.extensions ?? [])
      add(at(scope).name, `extension ${place(scope)} ${type}`);
    for (const { scope, least, most, types, result } of this.facts.arities ?? [])
      add(at(scope).name, `arity ${place(scope)} ${least} ${most} ${types} ${result}`);
    for (const { scope, kind, chain } of this.facts.references)
      if (kind === 'inherit' || kind === 'decorate')
        add(at(scope).name, `${kind} ${place(scope)} ${chain.join('.')}`);
    for (const { scope, target, value, how } of this.facts.bindings)
      add(
        how === 'return' ? at(scope).name : target.slice(target.lastIndexOf('.') + 1),
        `${how} ${place(scope)} ${target} ${value}`,
      );
    for (const scope of this.facts.properties ?? [])
      add(at(scope).name, `property ${place(scope)}`);
    for (const { scope, local, module, level, member } of this.facts.imports)
      add(local, `import ${place(scope)} ${level} ${module} ${member}`);
    this.scopes.forEach((scope, index) => {
      for (const local of scope.locals) add(local, `local ${place(index)}`);
    });
    return facts;
  }
}

/** Names on which two versions of a file differ for others. */
export function changedNames(before: FileIndex, after: FileIndex): Set<string> {
  // Of a file that moved to another namespace, nobody finds anything where it was.
  if (before.namespace !== after.namespace) {
    return new Set([...before.visibleFacts().keys(), ...after.visibleFacts().keys(), '*']);
  }
  const [old, now] = [before.visibleFacts(), after.visibleFacts()];
  const names = new Set([...old.keys(), ...now.keys()]);
  return new Set([...names].filter((name) => old.get(name) !== now.get(name)));
}

/** A scope while it is being filled. Most bind hardly anything: a map is made when something goes into it. */
class ScopeDraft implements Scope {
  imports: ReadonlyMap<string, ImportFact[]> = NOTHING;
  stars: readonly ImportFact[] = NOWHERE;
  bindings: ReadonlyMap<string, BindingFact[]> = NOTHING;
  locals: ReadonlySet<string> = NO_NAMES;

  import(fact: ImportFact): void {
    if (fact.member === '*') this.stars = [...this.stars, fact];
    else this.imports = including(this.imports, fact.local, fact);
  }

  bind(fact: BindingFact): void {
    this.bindings = including(this.bindings, fact.target, fact);
  }
}

/** A map with one more of a name, made where there was none. */
function including<T>(
  map: ReadonlyMap<string, T[]>,
  name: string,
  value: T,
): ReadonlyMap<string, T[]> {
  if (map === NOTHING) return new Map([[name, [value]]]);
  appendTo(map as Map<string, T[]>, name, value);
  return map;
}

const NO_SCOPE: Scope = new ScopeDraft();

function scopesOf(file: GraphFile): Scope[] {
  const { imports, bindings, locals = [] } = file.facts;
  const scopes: ScopeDraft[] = [];
  const at = (index: number) => (scopes[index] ??= new ScopeDraft());
  for (const fact of imports) at(fact.scope).import(fact);
  for (const fact of bindings)
    if (fact.how !== 'return' && !fact.target.includes('.')) at(fact.scope).bind(fact);
  for (const { scope, names } of locals) at(scope).locals = new Set(names);
  return Array.from(file.chunks, (_, index) => scopes[index] ?? NO_SCOPE);
}

interface Draft {
  members: Map<string, Definition[]>;
  attributes: ReadonlyMap<string, BindingFact[]>;
  bases: readonly ReferenceFact[];
}

function definitionsOf(index: FileIndex, file: GraphFile, rules: GraphRules): Definition[] {
  const { chunks, facts } = file;
  const drafts = chunks.map((chunk): Draft | null =>
    chunk.kind === 'class' ? { members: new Map(), attributes: NOTHING, bases: NOWHERE } : null,
  );
  const properties = new Set(facts.properties);
  for (const reference of facts.references) {
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
    const owner = attributeOwner(file, fact, rules);
    const draft = owner && drafts[owner.chunk];
    if (draft) draft.attributes = including(draft.attributes, owner.name, fact);
  }

  const arities = new Map(facts.arities?.map((arity) => [arity.scope, arity]));
  const owners = new Map(facts.owners?.map(({ scope, type }) => [scope, type]));
  const extended = new Map(facts.extensions?.map(({ scope, type }) => [scope, type]));
  const definitions: Definition[] = [];
  for (const [position, chunk] of chunks.entries()) {
    const draft = drafts[position];
    // A class comes before what is in it.
    const parent = chunk.parent < 0 ? null : (definitions[chunk.parent] ?? null);
    const definition: Definition = {
      file: index,
      index: position,
      name: chunk.name,
      qualifiedName: chunk.qualifiedName,
      ordinal: chunk.ordinal,
      kind: chunk.kind,
      parent,
      owner: owners.get(position) ?? '',
      extended: extended.get(position) ?? '',
      members: draft?.members ?? NOTHING,
      attributes: draft?.attributes ?? NOTHING,
      bases: draft?.bases ?? NOWHERE,
      isProperty: properties.has(position),
      arity: arities.get(position) ?? null,
      returns: returns.get(position) ?? NOWHERE,
    };
    definitions.push(definition);
    const siblings = parent && drafts[parent.index]?.members;
    if (siblings) appendTo(siblings, chunk.name, definition);
  }
  return definitions;
}

/** The class and attribute that a binding is about: `x` in a class body, `self.x` in a method. */
function attributeOwner(
  file: GraphFile,
  fact: BindingFact,
  rules: GraphRules,
): { chunk: number; name: string } | null {
  const chunk = present(file.chunks[fact.scope], 'the chunk of a binding');
  const dot = fact.target.indexOf('.');
  if (dot < 0) return chunk.kind === 'class' ? { chunk: fact.scope, name: fact.target } : null;
  const receiver = fact.target.slice(0, dot);
  const name = fact.target.slice(dot + 1);
  const isReceiver = rules.instanceNames.includes(receiver) || rules.classNames.includes(receiver);
  if (chunk.kind !== 'method' || chunk.parent < 0 || !isReceiver || name.includes('.')) return null;
  return { chunk: chunk.parent, name };
}
