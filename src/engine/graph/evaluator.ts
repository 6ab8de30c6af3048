import { getOrAdd } from '../../shared/get-or-add.ts';
import { present } from '../../shared/present.ts';
import type { BindingFact, ImportFact } from '../languages/facts.ts';
import type { GraphRules } from '../languages/language.ts';
import type { Module } from '../languages/modules.ts';
import type { Budget } from './budget.ts';
import { Extensions } from './extensions.ts';
import type { Definition, FileIndex } from './file-index.ts';
import { namespaceKey } from './namespaces.ts';
import type { Reads } from './reads.ts';
import {
  MOST_VALUES,
  OUTSIDE,
  SOMETHING,
  UNKNOWN,
  union,
  type Value,
  type Values,
} from './values.ts';
import type { Lineage, World } from './world.ts';

const CALL = '()';
const LITERAL = '""';
/** Bindings, imports and annotations followed one into the next; generated code may chain thousands. */
const DEEPEST = 64;

/**
 * Finds what names and dotted chains stand for, over the files of one state of the repository.
 * Made for the references of one file; what it looked at elsewhere goes to `reads`.
 *
 * Names are not followed through the order of statements: all bindings of a name in a scope count.
 * Cycles (of imports, aliases, attributes) end where they close.
 */
export class Evaluator {
  readonly #world: World;
  readonly #home: FileIndex | null;
  readonly #reads: Reads;
  readonly #budget: Budget;
  readonly #lineage: (definition: Definition) => Lineage;
  /** Results by the facts they come from. A result in the making is UNKNOWN: that cuts cycles. */
  readonly #done = new Map<object, Values>();
  /** Members of modules by file and name; null where there is none, and while it is being looked for. */
  readonly #members = new Map<FileIndex, Map<string, Values | null>>();
  /** Files that a file's star imports lead to, in the order in which they are looked into. */
  readonly #starred = new Map<FileIndex, readonly FileIndex[]>();
  readonly #extensions: Extensions | null;
  #depth = 0;

  /** `home`: the file whose references are resolved; it is not recorded in `reads`. All here may throw `OutOfSteps`. */
  constructor(
    world: World,
    home: FileIndex | null,
    reads: Reads,
    budget: Budget,
    lineage: (definition: Definition) => Lineage,
  ) {
    this.#world = world;
    this.#home = home;
    this.#reads = reads;
    this.#budget = budget;
    this.#lineage = lineage;
    this.#extensions = world.rules.extensions
      ? new Extensions(world, reads, budget, {
          member: (file, name) => this.member(file, name),
          importedModule: (file, fact) => this.#importedModule(file, fact),
          importedMember: (module, name) => this.#importedMember(module, name),
          lineageOf: (definition) => this.lineageOf(definition),
          typesAround: (definition) => this.#typesAround(definition),
        })
      : null;
  }

  /** Values of what a chain calls in a scope. `receivers`: what a bare name may be called on, innermost first. */
  callee(
    file: FileIndex,
    scope: number,
    chain: readonly string[],
    receivers: readonly (readonly string[])[],
  ): Values {
    const [name = ''] = chain;
    let isKnown = true;
    for (const receiver of receivers) {
      const objects = this.chain(file, scope, receiver);
      const values = this.#on(file, scope, objects, name, true);
      if (values.length > 0 && !isOutside(values) && !values.some(isGuess)) return values;
      isKnown &&= objects.length > 0 && !isOutside(objects);
    }
    const values = this.chain(file, scope, chain, true);
    return isKnown ? values : values.map(guessedMember);
  }

  /** Values of a chain such as `['a', 'b()', 'c']` in the scope of a chunk; `isCallee`, when it is called. */
  chain(file: FileIndex, scope: number, chain: readonly string[], isCallee = false): Values {
    let values = UNKNOWN;
    for (const [i, part] of chain.entries()) {
      this.#budget.spend();
      const isCall = part.endsWith(CALL);
      const name = isCall ? part.slice(0, -CALL.length) : part;
      if (i > 0 && isCall && this.#world.rules.passThrough?.has(name)) {
        const own = this.called(this.attribute(values, name));
        if (own.length > 0 && !isOutside(own)) values = own;
        continue;
      }
      const isCalled = isCall || (isCallee && i + 1 === chain.length);
      if (i > 0) values = this.#on(file, scope, values, name, isCalled);
      else if (this.#world.rules.superNames.includes(part)) {
        values = this.#superOf(file, scope);
        continue;
      } else values = this.#named(file, scope, name, isCalled);
      if (isCall) values = this.called(values);
      if (values.length === 0 && i + 1 < chain.length && !this.#extensions) return UNKNOWN;
    }
    return values;
  }

  /** Values of an attribute of the values or, where they have none of that name, of an extension of theirs. */
  #on(file: FileIndex, scope: number, values: Values, name: string, isCalled: boolean): Values {
    const own = this.attribute(values, name, isCalled);
    if (!this.#extensions || name === '?' || (own.length > 0 && !isOutside(own))) return own;
    const found = this.#extensions.find(file, scope, values, name);
    return found.length > 0 ? this.#extended(found) : own;
  }

  /** Values of a bare name, which may be an extension for the object of a method around it. */
  #named(file: FileIndex, scope: number, name: string, isCalled: boolean): Values {
    const values = this.name(file, scope, name, isCalled);
    if (!this.#extensions || !isCalled || !isOutside(values)) return values;
    const around = [...this.#typesAround(file.definition(scope))];
    const objects = around.map((definition): Value => ({ kind: 'instance', definition }));
    const found = this.#extensions.find(file, scope, objects, name);
    // The object may also be one that a block has got.
    const meant = found.length > 0 ? found : this.#extensions.find(file, scope, UNKNOWN, name);
    return meant.length > 0 ? this.#extended(meant) : values;
  }

  #extended(found: Values): Values {
    return union(
      found.map((value) =>
        value.kind === 'function' && value.definition.isProperty ? this.#calledOne(value) : [value],
      ),
    );
  }

  /** Values of a bare name in the scope of a chunk; `isCalled`, when it is a function's if there is one. */
  name(file: FileIndex, scope: number, name: string, isCalled = false): Values {
    if (name === '?') return UNKNOWN;
    if (name === LITERAL) return OUTSIDE;
    const definition = file.definition(scope);
    const known =
      (definition.kind === 'module' ? null : this.#local(definition, name, isCalled)) ??
      this.member(file, name) ??
      this.#moduleNamed(file, name);
    return known ?? (isCalled ? null : this.#opened(file, name)) ?? OUTSIDE;
  }

  #moduleNamed(file: FileIndex, name: string): Values | null {
    const meant = this.#world.modules.named?.(file.path, name);
    for (const one of meant?.names ?? []) this.#reads.tryModule(one);
    return meant?.module ? [{ kind: 'module', module: meant.module }] : null;
  }

  #opened(file: FileIndex, name: string): Values | null {
    if (!this.#world.rules.namespace?.openedElsewhere) return null;
    const definition = this.#world.namespaces.onlyClass(name, file.isTest, this.#reads);
    return definition && [{ kind: 'class', definition, guess: true }];
  }

  /** Values of a name in a function or in the body of a class; null where these do not have it. */
  #local(definition: Definition, name: string, isCalled: boolean): Values | null {
    const { bodyIsScope, instanceNames, classNames, implicitReceiver } = this.#world.rules;
    const isInstance = instanceNames.includes(name);
    if (definition.kind === 'class') {
      if (bodyIsScope === false) return null;
      const members = definition.members.get(name);
      const own = members?.findLast((member) => this.#isNamed(member, definition, isCalled));
      if (own) return [definitionValue(own, definition)];
    } else if (isInstance || classNames.includes(name)) {
      const { extended } = definition;
      const type = extended === '' ? this.#typeAround(definition) : this.#extendedBy(definition);
      if (type) return [{ kind: isInstance ? 'instance' : 'class', definition: type }];
    }
    const bound = this.#variable(definition, name, isCalled);
    return bound || !implicitReceiver ? bound : this.#implicit(definition, name, isCalled);
  }

  /** Returns what a scope binds a name to, unless a function is called and the variable is known to be none. */
  #variable(definition: Definition, name: string, isCalled: boolean): Values | null {
    const { functionsApart, callMethod } = this.#world.rules;
    if (!isCalled || !functionsApart) return this.#bound(definition, name);
    if (callMethod === '') return null;
    const bound = this.#bound(definition, name);
    const isTyped = definition.file.scope(definition.index).bindings.has(name);
    return bound && isTyped && !this.#isCallable(bound) ? null : bound;
  }

  #isCallable(values: Values): boolean {
    const { callMethod } = this.#world.rules;
    return (
      callMethod !== '' &&
      values.some(({ kind }) => kind === 'instance') &&
      this.attribute(values, callMethod, true).some(({ kind }) => kind === 'function')
    );
  }

  /** Returns a name's values as a member of the types around a definition, innermost first; null where none has it. */
  #implicit(definition: Definition, name: string, isCalled: boolean): Values | null {
    for (const type of this.#typesAround(definition)) {
      const values = this.#classAttribute(type, name, 0, isCalled);
      if (values.length > 0 && !isOutside(values)) return values;
    }
    return null;
  }

  /** The types whose members have no need of a receiver in a definition, innermost first; a class begins with itself. */
  *#typesAround(definition: Definition): Iterable<Definition> {
    if (definition.extended !== '') {
      const extended = this.#extendedBy(definition);
      if (extended) yield extended;
    }
    const isClass = definition.kind === 'class';
    let type = isClass
      ? this.#world.namespaces.typeOf(definition, this.#reads)
      : this.#typeAround(definition);
    for (; type; type = this.#typeAround(type)) yield type;
  }

  /** The type that an extension is for, where it is one of the repository. */
  #extendedBy({ file, extended }: Definition): Definition | null {
    const type = this.member(file, extended)?.find(({ kind }) => kind === 'class');
    return type?.kind === 'class' ? type.definition : null;
  }

  #typeAround(definition: Definition): Definition | null {
    return this.#world.namespaces.typeAround(definition, this.#reads);
  }

  /** Values that imports and assignments of one scope give a name; null where the scope does not bind it. */
  #bound(definition: Definition, name: string): Values | null {
    const { file, index } = definition;
    const scope = file.scope(index);
    this.#look(file, name);
    const imports = scope.imports.get(name);
    const bindings = scope.bindings.get(name);
    if (!imports && !bindings) return scope.locals.has(name) ? UNKNOWN : null;
    return union([
      bindings ? this.#bindingValues(file, bindings) : UNKNOWN,
      imports ? this.#importValues(file, imports) : UNKNOWN,
    ]);
  }

  #superOf(file: FileIndex, scope: number): Values {
    const definition = file.definition(scope);
    const type = definition.kind === 'class' ? definition : this.#typeAround(definition);
    return type ? [{ kind: 'super', definition: type }] : UNKNOWN;
  }

  /** Values of a module's member by its file; null where the module does not define it. */
  member(file: FileIndex, name: string): Values | null {
    const { namespace, isTest } = file;
    const members = getOrAdd(this.#members, file, () => new Map<string, Values | null>());
    return once(
      members,
      name,
      null,
      () =>
        this.#ownMember(file, name) ??
        // Tests of the same namespace are not there for other code.
        (namespace !== null && this.#world.rules.namespace?.sharesNames
          ? this.#namespaceMember(namespace, name, isTest)
          : null) ??
        this.#starMember(file, name),
    );
  }

  #ownMember(file: FileIndex, name: string): Values | null {
    this.#look(file, name);
    const own = file.top.get(name);
    return own
      ? meantBy(own, this.#world.rules).map((one) => definitionValue(one, null))
      : this.#bound(file.definition(file.moduleScope), name);
  }

  /** Values of what the files of a namespace declare, tests only where asked for; null where none declares the name. */
  #namespaceMember(namespace: string, name: string, withTests: boolean): Values | null {
    this.#reads.tryModule(namespaceKey(namespace, name));
    let found: Values | null = null;
    for (const file of this.#world.namespaces.declaring(namespace, name)) {
      this.#budget.spend();
      if (file.isTest && !withTests) continue;
      const own = this.#ownMember(file, name);
      if (own) found = union([found ?? UNKNOWN, own]);
      if (found?.length === MOST_VALUES) break;
    }
    return found;
  }

  #starMember(file: FileIndex, name: string): Values | null {
    if (this.#world.rules.isHidden(name)) return null;
    for (const source of this.#starredBy(file)) {
      this.#budget.spend();
      this.#look(source, name);
      const values = source.defines(name) ? this.member(source, name) : null;
      if (values) return values;
    }
    if (!this.#world.rules.namespace) return null;
    for (const source of [file, ...this.#starredBy(file)]) {
      const values = this.#starredNamespaceMember(source, name);
      if (values) return values;
    }
    return null;
  }

  #starredNamespaceMember(file: FileIndex, name: string): Values | null {
    for (const fact of file.scope(file.moduleScope).stars) {
      const module = this.#importedModule(file, fact);
      if (module?.namespace === undefined) continue;
      const values = this.#importedMember(module, name);
      if (values.length > 0 && !isOutside(values)) return values;
    }
    return null;
  }

  /** The files that star imports lead to from a file, each once, in the order in which names are looked up in them. */
  #starredBy(file: FileIndex): readonly FileIndex[] {
    return getOrAdd(this.#starred, file, () => {
      const found = new Set<FileIndex>();
      const ahead: { at: FileIndex; depth: number }[] = [{ at: file, depth: 0 }];
      for (let next = ahead.pop(); next; next = ahead.pop()) {
        const { at, depth } = next;
        if (found.has(at)) continue;
        found.add(at);
        const { stars } = at.scope(at.moduleScope);
        if (stars.length > 0 && depth === DEEPEST) {
          this.#budget.cut = true;
          continue;
        }
        for (const fact of stars.toReversed()) {
          const module = this.#importedModule(at, fact);
          const source = module?.file && this.#world.files.get(module.file);
          if (source) ahead.push({ at: source, depth: depth + 1 });
        }
      }
      found.delete(file);
      return [...found];
    });
  }

  #importValues(file: FileIndex, facts: readonly ImportFact[]): Values {
    return this.#once(facts, () => union(facts.map((fact) => this.#imported(file, fact))));
  }

  #once(facts: readonly unknown[] | BindingFact, evaluate: () => Values): Values {
    if (!this.#done.has(facts) && this.#depth === DEEPEST) {
      this.#budget.cut = true;
      return UNKNOWN;
    }
    this.#depth++;
    try {
      return once(this.#done, facts, UNKNOWN, () => {
        this.#budget.spend(Array.isArray(facts) ? facts.length : 1);
        return evaluate();
      });
    } finally {
      this.#depth--;
    }
  }

  #imported(file: FileIndex, fact: ImportFact): Values {
    const module = this.#importedModule(file, fact);
    if (!module) return OUTSIDE;
    if (fact.member !== null) return this.#importedMember(module, fact.member);
    return [{ kind: 'module', module: this.#world.modules.bound(file.path, fact, module) }];
  }

  #importedMember(module: Module, member: string): Values {
    const start: Values = [{ kind: 'module', module }];
    const { inner = [] } = module;
    const around = inner.reduce((values, name) => this.attribute(values, name), start);
    const variable = this.attribute(around, member);
    if (!this.#world.rules.functionsApart) return variable;
    // An import says nothing of what it is for: it may be for both.
    const called = this.attribute(around, member, true);
    return isOutside(called) ? variable : union([called, variable]);
  }

  #importedModule(file: FileIndex, fact: ImportFact): Module | null {
    const { module, names } = this.#world.modules.imported(file.path, fact);
    this.#budget.spend(1 + names.length);
    for (const name of names) this.#reads.tryModule(name);
    return module;
  }

  #moduleAttribute(module: Module, name: string): Values {
    if (module.namespace !== undefined) {
      return this.#namespaceMember(module.namespace, name, true) ?? OUTSIDE;
    }
    const file = module.file === null ? undefined : this.#world.files.get(module.file);
    const member = file ? this.member(file, name) : null;
    if (member && member.length > 0) return member;
    const child = module.folder === null ? null : this.#submodule(module.folder, name);
    return child ?? (member ? SOMETHING : OUTSIDE);
  }

  #submodule(folder: string, name: string): Values | null {
    this.#reads.tryModule(name);
    const module = this.#world.modules.child(folder, name);
    return module ? [{ kind: 'module', module }] : null;
  }

  #bindingValues(file: FileIndex, facts: readonly BindingFact[]): Values {
    return this.#once(facts, () => {
      const valuesOf = (some: readonly BindingFact[]) =>
        union(some.map((fact) => this.#bindingValue(file, fact)));
      const annotated = valuesOf(facts.filter((fact) => fact.how === 'type'));
      if (annotated.length > 0) return annotated;
      return valuesOf(facts.filter((fact) => fact.how !== 'type'));
    });
  }

  #bindingValue(file: FileIndex, fact: BindingFact): Values {
    if (fact.how === 'type') return this.#annotated(file, fact, null);
    const values = this.chain(file, fact.scope, fact.value.split('.'));
    return fact.how === 'call' ? this.called(values) : values;
  }

  #annotated(file: FileIndex, fact: BindingFact, receiver: Definition | null): Values {
    const names = fact.value.split('.');
    if (this.#world.rules.selfTypes.includes(names.at(-1) ?? '')) {
      const self = receiver ?? file.definition(fact.scope).parent;
      return self ? [{ kind: 'instance', definition: self }] : UNKNOWN;
    }
    return this.#once(fact, () => this.called(this.types(file, fact.scope, names)));
  }

  /** Values of the parts of a name of a type, as annotations of a chunk have it: written in the scope around the chunk. */
  types(file: FileIndex, scope: number, names: readonly string[]): Values {
    const { parent, kind } = file.definition(scope);
    const around = kind === 'class' ? scope : (parent?.index ?? file.moduleScope);
    let values = this.chain(file, around, names);
    // Inside a function, an annotation may name something the function imported.
    if (isOutside(values) && kind !== 'class') values = this.chain(file, scope, names);
    return values.filter((value) => value.kind !== 'function');
  }

  called(values: Values): Values {
    if (values.length === 0) return values;
    return union(values.map((value) => this.#calledOne(value)));
  }

  #calledOne(value: Value): Values {
    switch (value.kind) {
      case 'class':
        return [{ ...value, kind: 'instance' }];
      case 'function':
        return value.guess ? UNKNOWN : this.#returned(value.definition, value.receiver);
      case 'instance':
        return this.called(
          this.#classAttribute(value.definition, this.#world.rules.callMethod, 0, true),
        );
      case 'outside':
        return OUTSIDE;
      default:
        return UNKNOWN;
    }
  }

  #returned(definition: Definition, receiver: Definition | null): Values {
    this.#look(definition.file, definition.name);
    const { file, returns } = definition;
    return union(returns.map((fact) => this.#annotated(file, fact, receiver)));
  }

  /** Values of an attribute of the values; `isCalled`, when it is a method's if there is one. */
  attribute(values: Values, name: string, isCalled = false): Values {
    const [first] = values;
    if (!first || name === '?') return UNKNOWN;
    return values.length === 1
      ? this.#attributeOf(first, name, isCalled)
      : union(values.map((value) => this.#attributeOf(value, name, isCalled)));
  }

  #attributeOf(value: Value, name: string, isCalled: boolean): Values {
    const values = this.#known(value, name, isCalled);
    return 'guess' in value && value.guess ? values.map(guessed) : values;
  }

  #known(value: Value, name: string, isCalled: boolean): Values {
    switch (value.kind) {
      case 'module':
        return this.#moduleAttribute(value.module, name);
      case 'class': {
        const { implicitReceiver, instanceNames } = this.#world.rules;
        // `Outer.this`, where a method names members of the classes around it.
        return implicitReceiver && instanceNames.includes(name)
          ? [{ kind: 'instance', definition: value.definition }]
          : this.#classAttribute(value.definition, name, 0, isCalled);
      }
      case 'instance':
        return name === this.#world.rules.classAttribute
          ? [{ kind: 'class', definition: value.definition }]
          : this.#classAttribute(value.definition, name, 0, isCalled);
      case 'super':
        return this.#classAttribute(value.definition, name, 1, isCalled);
      case 'something':
        return UNKNOWN;
      default:
        return OUTSIDE;
    }
  }

  /** Looks an attribute up along the line of bases, from its `start`-th class on. */
  #classAttribute(receiver: Definition, name: string, start: 0 | 1, isCalled: boolean): Values {
    const { order, complete } = this.lineageOf(receiver);
    const isFunction = isCalled && this.#world.rules.functionsApart === true;
    let isAttribute = false;
    for (const owner of start === 0 ? order : order.slice(start)) {
      this.#budget.spend();
      this.#look(owner.file, name);
      const members = this.#world.namespaces
        .membersOf(owner, name, this.#reads)
        .filter((member) => this.#isNamed(member, owner, isCalled));
      if (members.length > 0) return this.#memberValues(members, receiver);
      const bindings = this.#attributesOf(owner, name);
      if (bindings.length === 0) continue;
      isAttribute = true;
      const values = union(bindings.map(({ file, facts }) => this.#bindingValues(file, facts)));
      if (isFunction && !this.#isCallable(values)) continue;
      if (values.some((value) => value.kind !== 'something')) return values;
    }
    if (isAttribute && !isFunction) return SOMETHING;
    return complete ? UNKNOWN : OUTSIDE;
  }

  /**
   * Whether a name of a class can mean a member of it. Where classes are named in themselves, the name of a class is never
   * its constructor's; where functions or methods have names apart, what is not called is none.
   */
  #isNamed(member: Definition, owner: Definition, isCalled: boolean): boolean {
    const { implicitReceiver, functionsApart, methodsApart } = this.#world.rules;
    if (member.extended !== '') return false;
    if (member.kind !== 'method' || member.isProperty) return true;
    if (implicitReceiver && member.name === owner.name) return false;
    return isCalled || !(functionsApart || methodsApart);
  }

  /** Returns what is known of an attribute of a class and its parts, by the file that says it. */
  #attributesOf(owner: Definition, name: string): { file: FileIndex; facts: BindingFact[] }[] {
    const parts = this.#world.namespaces.partsWithAttribute(owner, name, this.#reads);
    return [owner, ...parts].flatMap(({ file, attributes }) => {
      const facts = attributes.get(name);
      return facts ? [{ file, facts }] : [];
    });
  }

  /** A class's lineage; what it was derived from is read, and its steps spent, where it is first used. */
  lineageOf(definition: Definition): Lineage {
    const lineage = this.#lineage(this.#world.namespaces.typeOf(definition, this.#reads));
    if (!this.#reads.parts.has(lineage.reads)) {
      this.#reads.include(lineage.reads);
      this.#budget.cut ||= lineage.cut;
      this.#budget.spend(lineage.steps);
    }
    return lineage;
  }

  #memberValues(members: readonly Definition[], receiver: Definition): Values {
    const property = members.find((member) => member.isProperty);
    if (property) {
      const values = this.#returned(property, receiver);
      return values.length > 0 ? values : SOMETHING;
    }
    return [definitionValue(present(members.at(-1), 'the member of a name'), receiver)];
  }

  #look(file: FileIndex, name: string): void {
    if (file !== this.#home) this.#reads.look(file, name);
  }
}

/** The value of a key, evaluated once. While it is in the making it is `meanwhile`; when that fails it is not known. */
function once<K, V extends Values | null>(
  done: Map<K, V>,
  key: K,
  meanwhile: V,
  evaluate: () => V,
): V {
  const known = done.get(key);
  if (known !== undefined) return known;
  done.set(key, meanwhile);
  try {
    const value = evaluate();
    done.set(key, value);
    return value;
  } catch (error) {
    done.delete(key);
    throw error;
  }
}

/** Of all definitions of a name the last, or the last of both where it may name a type and a function. */
function meantBy(all: readonly Definition[], { typesApart }: GraphRules): readonly Definition[] {
  const last = all.slice(-1);
  const other = typesApart && all.findLast(({ kind }) => kind !== last[0]?.kind);
  return other ? [...last, other] : last;
}

function definitionValue(definition: Definition, receiver: Definition | null): Value {
  return definition.kind === 'class'
    ? { kind: 'class', definition }
    : { kind: 'function', definition, receiver };
}

function isGuess(value: Value): boolean {
  return value.kind === 'function' && value.guess === true;
}

function guessedMember(value: Value): Value {
  return value.kind === 'function' && value.definition.parent ? { ...value, guess: true } : value;
}

function guessed(value: Value): Value {
  return 'definition' in value && value.kind !== 'super' ? { ...value, guess: true } : value;
}

function isOutside(values: Values): boolean {
  return values.length === 1 && values[0]?.kind === 'outside';
}
