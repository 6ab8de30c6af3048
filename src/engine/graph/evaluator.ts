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
/** Maximum chain of bindings, imports and annotations; generated code may chain thousands. */
const MAX_DEPTH = 64;

/**
 * Evaluates names and dotted chains over the files of one state of the repository. An evaluator serves the references of
 * one file and records every lookup in other files in `reads`.
 *
 * The order of statements is ignored: all bindings of a name in a scope count. Cycles of imports, aliases and attributes
 * end where they close.
 */
export class Evaluator {
  readonly #world: World;
  readonly #home: FileIndex | null;
  readonly #reads: Reads;
  readonly #budget: Budget;
  readonly #lineage: (definition: Definition) => Lineage;
  /** Results by the facts they come from. An unfinished result is UNKNOWN, which breaks cycles. */
  readonly #results = new Map<object, Values>();
  /** Members of modules by file and name; null if there is none, or while it is being looked up. */
  readonly #members = new Map<FileIndex, Map<string, Values | null>>();
  /** Files that the star imports of a file lead to, in lookup order. */
  readonly #starredFiles = new Map<FileIndex, readonly FileIndex[]>();
  readonly #extensions: Extensions | null;
  #depth = 0;

  /**
   * Every method may throw `OutOfSteps`.
   * @param home the file whose references are resolved; lookups in it are not recorded in `reads`
   */
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
          importedModule: (file, fact) => this.#resolveImportedModule(file, fact),
          importedMember: (module, name) => this.#evaluateImportedMember(module, name),
          lineageOf: (definition) => this.lineageOf(definition),
          typesAround: (definition) => this.#listEnclosingTypes(definition),
        })
      : null;
  }

  /**
   * Evaluates the function that a chain calls in a scope.
   * @param receivers objects that a bare name may be called on, innermost first
   */
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
      const values = this.#evaluateAttributeOrExtension(file, scope, objects, name, true);
      if (values.length > 0 && !isOutside(values) && !values.some(isGuess)) return values;
      isKnown &&= objects.length > 0 && !isOutside(objects);
    }
    const values = this.chain(file, scope, chain, true);
    return isKnown ? values : values.map(markMemberAsGuess);
  }

  /**
   * Evaluates a chain such as `['a', 'b()', 'c']` in the scope of a chunk.
   * @param isCallee true if the whole chain is called
   */
  chain(file: FileIndex, scope: number, parts: readonly string[], isCallee = false): Values {
    let values = UNKNOWN;
    for (const [i, part] of parts.entries()) {
      this.#budget.spend();
      const isCall = part.endsWith(CALL);
      const name = isCall ? part.slice(0, -CALL.length) : part;
      if (i > 0 && isCall && this.#world.rules.passThrough?.has(name)) {
        const own = this.called(this.attribute(values, name));
        if (own.length > 0 && !isOutside(own)) values = own;
        continue;
      }
      const isCalled = isCall || (isCallee && i + 1 === parts.length);
      if (i > 0) values = this.#evaluateAttributeOrExtension(file, scope, values, name, isCalled);
      else if (this.#world.rules.superNames.includes(part)) {
        values = this.#evaluateSuper(file, scope);
        continue;
      } else values = this.#evaluateNameOrExtension(file, scope, name, isCalled);
      if (isCall) values = this.called(values);
      if (values.length === 0 && i + 1 < parts.length && !this.#extensions) return UNKNOWN;
    }
    return values;
  }

  /** Evaluates an attribute of values. If they have none of that name, looks for extension functions. */
  #evaluateAttributeOrExtension(
    file: FileIndex,
    scope: number,
    values: Values,
    name: string,
    isCalled: boolean,
  ): Values {
    const own = this.attribute(values, name, isCalled);
    if (!this.#extensions || name === '?' || (own.length > 0 && !isOutside(own))) return own;
    const found = this.#extensions.find(file, scope, values, name);
    return found.length > 0 ? this.#callProperties(found) : own;
  }

  /** Evaluates a bare name, which may be an extension function of an enclosing method's object. */
  #evaluateNameOrExtension(
    file: FileIndex,
    scope: number,
    name: string,
    isCalled: boolean,
  ): Values {
    const values = this.name(file, scope, name, isCalled);
    if (!this.#extensions || !isCalled || !isOutside(values)) return values;
    const around = [...this.#listEnclosingTypes(file.definition(scope))];
    const objects = around.map((definition): Value => ({ kind: 'instance', definition }));
    const found = this.#extensions.find(file, scope, objects, name);
    // The receiver may also be the object that a block receives.
    const meant = found.length > 0 ? found : this.#extensions.find(file, scope, UNKNOWN, name);
    return meant.length > 0 ? this.#callProperties(meant) : values;
  }

  #callProperties(found: Values): Values {
    return union(
      found.map((value) =>
        value.kind === 'function' && value.definition.isProperty
          ? this.#evaluateSingleCall(value)
          : [value],
      ),
    );
  }

  /**
   * Evaluates a bare name in the scope of a chunk.
   * @param isCalled true if the name is called, so functions come first
   */
  name(file: FileIndex, scope: number, identifier: string, isCalled = false): Values {
    if (identifier === '?') return UNKNOWN;
    if (identifier === LITERAL) return OUTSIDE;
    const definition = file.definition(scope);
    const known =
      (definition.kind === 'module'
        ? null
        : this.#evaluateLocal(definition, identifier, isCalled)) ??
      this.member(file, identifier) ??
      this.#findModuleNamed(file, identifier);
    return known ?? (isCalled ? null : this.#findReopenedClass(file, identifier)) ?? OUTSIDE;
  }

  #findModuleNamed(file: FileIndex, name: string): Values | null {
    const meant = this.#world.modules.named?.(file.path, name);
    for (const one of meant?.names ?? []) this.#reads.tryModule(one);
    return meant?.module ? [{ kind: 'module', module: meant.module }] : null;
  }

  #findReopenedClass(file: FileIndex, name: string): Values | null {
    if (!this.#world.rules.namespace?.openedElsewhere) return null;
    const definition = this.#world.namespaces.onlyClass(name, file.isTest, this.#reads);
    return definition && [{ kind: 'class', definition, guess: true }];
  }

  /** Evaluates a name in a function or in the body of a class; null if it is not defined there. */
  #evaluateLocal(definition: Definition, name: string, isCalled: boolean): Values | null {
    const { bodyIsScope, instanceNames, classNames, implicitReceiver } = this.#world.rules;
    const isInstance = instanceNames.includes(name);
    if (definition.kind === 'class') {
      if (bodyIsScope === false) return null;
      const members = definition.members.get(name);
      const own = members?.findLast((member) => this.#canMean(member, definition, isCalled));
      if (own) return [createDefinitionValue(own, definition)];
    } else if (isInstance || classNames.includes(name)) {
      const { extended } = definition;
      const type =
        extended === '' ? this.#getEnclosingType(definition) : this.#getExtendedType(definition);
      if (type) return [{ kind: isInstance ? 'instance' : 'class', definition: type }];
    }
    const bound = this.#evaluateVariable(definition, name, isCalled);
    return bound || !implicitReceiver ? bound : this.#evaluateImplicit(definition, name, isCalled);
  }

  /** Evaluates a variable of a scope; null if the name is called and the variable is known not to be callable. */
  #evaluateVariable(definition: Definition, name: string, isCalled: boolean): Values | null {
    const { functionsApart, callMethod } = this.#world.rules;
    if (!isCalled || !functionsApart) return this.#evaluateBound(definition, name);
    if (callMethod === '') return null;
    const bound = this.#evaluateBound(definition, name);
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

  /** Evaluates a name as a member of the enclosing types, innermost first; null if none has it. */
  #evaluateImplicit(definition: Definition, name: string, isCalled: boolean): Values | null {
    for (const type of this.#listEnclosingTypes(definition)) {
      const values = this.#evaluateClassAttribute(type, name, 0, isCalled);
      if (values.length > 0 && !isOutside(values)) return values;
    }
    return null;
  }

  /** Yields the types whose members need no receiver in a definition, innermost first; a class yields itself first. */
  *#listEnclosingTypes(definition: Definition): Iterable<Definition> {
    if (definition.extended !== '') {
      const extended = this.#getExtendedType(definition);
      if (extended) yield extended;
    }
    const isClass = definition.kind === 'class';
    let type = isClass
      ? this.#world.namespaces.typeOf(definition, this.#reads)
      : this.#getEnclosingType(definition);
    for (; type; type = this.#getEnclosingType(type)) yield type;
  }

  /** Returns the type that an extension function extends; null if it is not in the repository. */
  #getExtendedType({ file, extended }: Definition): Definition | null {
    const type = this.member(file, extended)?.find(({ kind }) => kind === 'class');
    return type?.kind === 'class' ? type.definition : null;
  }

  #getEnclosingType(definition: Definition): Definition | null {
    return this.#world.namespaces.typeAround(definition, this.#reads);
  }

  /** Evaluates the imports and assignments of a name in one scope; null if the scope does not bind it. */
  #evaluateBound(definition: Definition, name: string): Values | null {
    const { file, index } = definition;
    const scope = file.scope(index);
    this.#recordLookup(file, name);
    const imports = scope.imports.get(name);
    const bindings = scope.bindings.get(name);
    if (!imports && !bindings) return scope.locals.has(name) ? UNKNOWN : null;
    return union([
      bindings ? this.#evaluateBindings(file, bindings) : UNKNOWN,
      imports ? this.#evaluateImports(file, imports) : UNKNOWN,
    ]);
  }

  #evaluateSuper(file: FileIndex, scope: number): Values {
    const definition = file.definition(scope);
    const type = definition.kind === 'class' ? definition : this.#getEnclosingType(definition);
    return type ? [{ kind: 'super', definition: type }] : UNKNOWN;
  }

  /** Evaluates a member of a module, given by its file; null if the module does not define it. */
  member(file: FileIndex, name: string): Values | null {
    const { namespace, isTest } = file;
    const members = getOrAdd(this.#members, file, () => new Map<string, Values | null>());
    return evaluateOnce(
      members,
      name,
      null,
      () =>
        this.#evaluateOwnMember(file, name) ??
        // Source code cannot use test code of its namespace.
        (namespace !== null && this.#world.rules.namespace?.sharesNames
          ? this.#evaluateNamespaceMember(namespace, name, isTest)
          : null) ??
        this.#evaluateStarMember(file, name),
    );
  }

  #evaluateOwnMember(file: FileIndex, name: string): Values | null {
    this.#recordLookup(file, name);
    const own = file.top.get(name);
    return own
      ? selectDefinitions(own, this.#world.rules).map((one) => createDefinitionValue(one, null))
      : this.#evaluateBound(file.definition(file.moduleScope), name);
  }

  /** Evaluates a name that the files of a namespace declare; null if none declares it. */
  #evaluateNamespaceMember(namespace: string, name: string, withTests: boolean): Values | null {
    this.#reads.tryModule(namespaceKey(namespace, name));
    let found: Values | null = null;
    for (const file of this.#world.namespaces.declaring(namespace, name)) {
      this.#budget.spend();
      if (file.isTest && !withTests) continue;
      const own = this.#evaluateOwnMember(file, name);
      if (own) found = union([found ?? UNKNOWN, own]);
      if (found?.length === MOST_VALUES) break;
    }
    return found;
  }

  #evaluateStarMember(file: FileIndex, name: string): Values | null {
    if (this.#world.rules.isHidden(name)) return null;
    for (const source of this.#listStarredFiles(file)) {
      this.#budget.spend();
      this.#recordLookup(source, name);
      const values = source.defines(name) ? this.member(source, name) : null;
      if (values) return values;
    }
    if (!this.#world.rules.namespace) return null;
    for (const source of [file, ...this.#listStarredFiles(file)]) {
      const values = this.#evaluateStarredNamespaceMember(source, name);
      if (values) return values;
    }
    return null;
  }

  #evaluateStarredNamespaceMember(file: FileIndex, name: string): Values | null {
    for (const fact of file.scope(file.moduleScope).stars) {
      const module = this.#resolveImportedModule(file, fact);
      if (module?.namespace === undefined) continue;
      const values = this.#evaluateImportedMember(module, name);
      if (values.length > 0 && !isOutside(values)) return values;
    }
    return null;
  }

  /** Returns the files that star imports lead to, directly or not, each once, in lookup order. */
  #listStarredFiles(file: FileIndex): readonly FileIndex[] {
    return getOrAdd(this.#starredFiles, file, () => {
      const found = new Set<FileIndex>();
      const stack: { at: FileIndex; depth: number }[] = [{ at: file, depth: 0 }];
      for (let next = stack.pop(); next; next = stack.pop()) {
        const { at, depth } = next;
        if (found.has(at)) continue;
        found.add(at);
        const { stars } = at.scope(at.moduleScope);
        if (stars.length > 0 && depth === MAX_DEPTH) {
          this.#budget.cut = true;
          continue;
        }
        for (const fact of stars.toReversed()) {
          const module = this.#resolveImportedModule(at, fact);
          const source = module?.file && this.#world.files.get(module.file);
          if (source) stack.push({ at: source, depth: depth + 1 });
        }
      }
      found.delete(file);
      return [...found];
    });
  }

  #evaluateImports(file: FileIndex, facts: readonly ImportFact[]): Values {
    return this.#evaluateOnce(facts, () =>
      union(facts.map((fact) => this.#evaluateImport(file, fact))),
    );
  }

  #evaluateOnce(facts: readonly unknown[] | BindingFact, evaluate: () => Values): Values {
    if (!this.#results.has(facts) && this.#depth === MAX_DEPTH) {
      this.#budget.cut = true;
      return UNKNOWN;
    }
    this.#depth++;
    try {
      return evaluateOnce(this.#results, facts, UNKNOWN, () => {
        this.#budget.spend(Array.isArray(facts) ? facts.length : 1);
        return evaluate();
      });
    } finally {
      this.#depth--;
    }
  }

  #evaluateImport(file: FileIndex, fact: ImportFact): Values {
    const module = this.#resolveImportedModule(file, fact);
    if (!module) return OUTSIDE;
    if (fact.member !== null) return this.#evaluateImportedMember(module, fact.member);
    return [{ kind: 'module', module: this.#world.modules.bound(file.path, fact, module) }];
  }

  #evaluateImportedMember(module: Module, member: string): Values {
    const start: Values = [{ kind: 'module', module }];
    const { inner = [] } = module;
    const around = inner.reduce((values, name) => this.attribute(values, name), start);
    const variable = this.attribute(around, member);
    if (!this.#world.rules.functionsApart) return variable;
    // The import does not say whether it means the function or the variable.
    const called = this.attribute(around, member, true);
    return isOutside(called) ? variable : union([called, variable]);
  }

  #resolveImportedModule(file: FileIndex, fact: ImportFact): Module | null {
    const { module, names } = this.#world.modules.imported(file.path, fact);
    this.#budget.spend(1 + names.length);
    for (const name of names) this.#reads.tryModule(name);
    return module;
  }

  #evaluateModuleAttribute(module: Module, name: string): Values {
    if (module.namespace !== undefined) {
      return this.#evaluateNamespaceMember(module.namespace, name, true) ?? OUTSIDE;
    }
    const file = module.file === null ? undefined : this.#world.files.get(module.file);
    const member = file ? this.member(file, name) : null;
    if (member && member.length > 0) return member;
    const child = module.folder === null ? null : this.#findSubmodule(module.folder, name);
    return child ?? (member ? SOMETHING : OUTSIDE);
  }

  #findSubmodule(folder: string, name: string): Values | null {
    this.#reads.tryModule(name);
    const module = this.#world.modules.child(folder, name);
    return module ? [{ kind: 'module', module }] : null;
  }

  #evaluateBindings(file: FileIndex, facts: readonly BindingFact[]): Values {
    return this.#evaluateOnce(facts, () => {
      const evaluateFacts = (some: readonly BindingFact[]) =>
        union(some.map((fact) => this.#evaluateBinding(file, fact)));
      const annotated = evaluateFacts(facts.filter((fact) => fact.how === 'type'));
      if (annotated.length > 0) return annotated;
      return evaluateFacts(facts.filter((fact) => fact.how !== 'type'));
    });
  }

  #evaluateBinding(file: FileIndex, fact: BindingFact): Values {
    if (fact.how === 'type') return this.#evaluateAnnotation(file, fact, null);
    const values = this.chain(file, fact.scope, fact.value.split('.'));
    return fact.how === 'call' ? this.called(values) : values;
  }

  #evaluateAnnotation(file: FileIndex, fact: BindingFact, receiver: Definition | null): Values {
    const names = fact.value.split('.');
    if (this.#world.rules.selfTypes.includes(names.at(-1) ?? '')) {
      const self = receiver ?? file.definition(fact.scope).parent;
      return self ? [{ kind: 'instance', definition: self }] : UNKNOWN;
    }
    return this.#evaluateOnce(fact, () => this.called(this.types(file, fact.scope, names)));
  }

  /** Evaluates a type's name in an annotation of a chunk. Annotations belong to the scope around the chunk. */
  types(file: FileIndex, scope: number, names: readonly string[]): Values {
    const { parent, kind } = file.definition(scope);
    const around = kind === 'class' ? scope : (parent?.index ?? file.moduleScope);
    let values = this.chain(file, around, names);
    // Inside a function, an annotation may name something that the function imported.
    if (isOutside(values) && kind !== 'class') values = this.chain(file, scope, names);
    return values.filter((value) => value.kind !== 'function');
  }

  called(values: Values): Values {
    if (values.length === 0) return values;
    return union(values.map((value) => this.#evaluateSingleCall(value)));
  }

  #evaluateSingleCall(value: Value): Values {
    switch (value.kind) {
      case 'class':
        return [{ ...value, kind: 'instance' }];
      case 'function':
        return value.guess ? UNKNOWN : this.#evaluateReturns(value.definition, value.receiver);
      case 'instance':
        return this.called(
          this.#evaluateClassAttribute(value.definition, this.#world.rules.callMethod, 0, true),
        );
      case 'outside':
        return OUTSIDE;
      default:
        return UNKNOWN;
    }
  }

  #evaluateReturns(definition: Definition, receiver: Definition | null): Values {
    this.#recordLookup(definition.file, definition.name);
    const { file, returns } = definition;
    return union(returns.map((fact) => this.#evaluateAnnotation(file, fact, receiver)));
  }

  /**
   * Evaluates an attribute of values.
   * @param isCalled true if the attribute is called, so methods come first
   */
  attribute(values: Values, name: string, isCalled = false): Values {
    const [first] = values;
    if (!first || name === '?') return UNKNOWN;
    return values.length === 1
      ? this.#evaluateSingleAttribute(first, name, isCalled)
      : union(values.map((value) => this.#evaluateSingleAttribute(value, name, isCalled)));
  }

  #evaluateSingleAttribute(value: Value, name: string, isCalled: boolean): Values {
    const values = this.#evaluateCertainAttribute(value, name, isCalled);
    return 'guess' in value && value.guess ? values.map(markAsGuess) : values;
  }

  #evaluateCertainAttribute(value: Value, name: string, isCalled: boolean): Values {
    switch (value.kind) {
      case 'module':
        return this.#evaluateModuleAttribute(value.module, name);
      case 'class': {
        const { implicitReceiver, instanceNames } = this.#world.rules;
        // `Outer.this` is the enclosing object of class `Outer`.
        return implicitReceiver && instanceNames.includes(name)
          ? [{ kind: 'instance', definition: value.definition }]
          : this.#evaluateClassAttribute(value.definition, name, 0, isCalled);
      }
      case 'instance':
        return name === this.#world.rules.classAttribute
          ? [{ kind: 'class', definition: value.definition }]
          : this.#evaluateClassAttribute(value.definition, name, 0, isCalled);
      case 'super':
        return this.#evaluateClassAttribute(value.definition, name, 1, isCalled);
      case 'something':
        return UNKNOWN;
      default:
        return OUTSIDE;
    }
  }

  /** Looks up an attribute in method resolution order, starting at the class with number `start`. */
  #evaluateClassAttribute(
    receiver: Definition,
    name: string,
    start: 0 | 1,
    isCalled: boolean,
  ): Values {
    const { order, complete } = this.lineageOf(receiver);
    const isFunction = isCalled && this.#world.rules.functionsApart === true;
    let isAttribute = false;
    for (const owner of start === 0 ? order : order.slice(start)) {
      this.#budget.spend();
      this.#recordLookup(owner.file, name);
      const members = this.#world.namespaces
        .membersOf(owner, name, this.#reads)
        .filter((member) => this.#canMean(member, owner, isCalled));
      if (members.length > 0) return this.#evaluateMembers(members, receiver);
      const bindings = this.#listAttributeBindings(owner, name);
      if (bindings.length === 0) continue;
      isAttribute = true;
      const values = union(bindings.map(({ file, facts }) => this.#evaluateBindings(file, facts)));
      if (isFunction && !this.#isCallable(values)) continue;
      if (values.some((value) => value.kind !== 'something')) return values;
    }
    if (isAttribute && !isFunction) return SOMETHING;
    return complete ? UNKNOWN : OUTSIDE;
  }

  /**
   * Returns true if the name of a member can mean this member. With an implicit receiver, the name of a class never means
   * its constructor. In languages where functions or methods have a namespace of their own, they match only if called.
   */
  #canMean(member: Definition, owner: Definition, isCalled: boolean): boolean {
    const { implicitReceiver, functionsApart, methodsApart } = this.#world.rules;
    if (member.extended !== '') return false;
    if (member.kind !== 'method' || member.isProperty) return true;
    if (implicitReceiver && member.name === owner.name) return false;
    return isCalled || !(functionsApart || methodsApart);
  }

  /** Returns the bindings of an attribute in a class and its parts, with the file of each. */
  #listAttributeBindings(
    owner: Definition,
    name: string,
  ): { file: FileIndex; facts: BindingFact[] }[] {
    const parts = this.#world.namespaces.partsWithAttribute(owner, name, this.#reads);
    return [owner, ...parts].flatMap(({ file, attributes }) => {
      const facts = attributes.get(name);
      return facts ? [{ file, facts }] : [];
    });
  }

  /** Returns the lineage of a class. Its first use adds its reads and spends its steps. */
  lineageOf(definition: Definition): Lineage {
    const lineage = this.#lineage(this.#world.namespaces.typeOf(definition, this.#reads));
    if (!this.#reads.parts.has(lineage.reads)) {
      this.#reads.include(lineage.reads);
      this.#budget.cut ||= lineage.cut;
      this.#budget.spend(lineage.steps);
    }
    return lineage;
  }

  #evaluateMembers(members: readonly Definition[], receiver: Definition): Values {
    const property = members.find((member) => member.isProperty);
    if (property) {
      const values = this.#evaluateReturns(property, receiver);
      return values.length > 0 ? values : SOMETHING;
    }
    return [createDefinitionValue(present(members.at(-1), 'the member of a name'), receiver)];
  }

  #recordLookup(file: FileIndex, name: string): void {
    if (file !== this.#home) this.#reads.look(file, name);
  }
}

/** Returns the value of a key, evaluated once. During evaluation it is `meanwhile`; after an error it is evaluated again. */
function evaluateOnce<K, V extends Values | null>(
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

/** Returns the last definition of a name, or the last of each kind if it may name both a type and a function. */
function selectDefinitions(
  all: readonly Definition[],
  { typesApart }: GraphRules,
): readonly Definition[] {
  const last = all.slice(-1);
  const other = typesApart && all.findLast(({ kind }) => kind !== last[0]?.kind);
  return other ? [...last, other] : last;
}

function createDefinitionValue(definition: Definition, receiver: Definition | null): Value {
  return definition.kind === 'class'
    ? { kind: 'class', definition }
    : { kind: 'function', definition, receiver };
}

function isGuess(value: Value): boolean {
  return value.kind === 'function' && value.guess === true;
}

function markMemberAsGuess(value: Value): Value {
  return value.kind === 'function' && value.definition.parent ? { ...value, guess: true } : value;
}

function markAsGuess(value: Value): Value {
  return 'definition' in value && value.kind !== 'super' ? { ...value, guess: true } : value;
}

function isOutside(values: Values): boolean {
  return values.length === 1 && values[0]?.kind === 'outside';
}
