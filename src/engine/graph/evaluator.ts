import { assertPresent } from '../../shared/assert-present.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { BindingFact, ImportFact } from '../languages/facts.ts';
import type { GraphRules } from '../languages/language.ts';
import type { RepositoryModule } from '../languages/modules.ts';
import { Extensions } from './extensions.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { GraphState, Lineage } from './graph-state.ts';
import { formatNamespaceKey } from './namespaces.ts';
import type { ReadSet } from './read-set.ts';
import type { StepBudget } from './step-budget.ts';
import {
  type AbstractValue,
  type AbstractValues,
  MAX_VALUES,
  OUTSIDE,
  SOMETHING,
  UNKNOWN,
  uniteValues,
} from './values.ts';

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
  readonly #world: GraphState;
  readonly #home: FileIndex | null;
  readonly #reads: ReadSet;
  readonly #budget: StepBudget;
  readonly #lineage: (definition: GraphDefinition) => Lineage;
  /** Results by the facts they come from. An unfinished result is UNKNOWN, which breaks cycles. */
  readonly #results = new Map<object, AbstractValues>();
  /** Members of modules by file and name; null if none exists, or while it is being looked up. */
  readonly #members = new Map<FileIndex, Map<string, AbstractValues | null>>();
  /** Files that the star imports of a file lead to, in lookup order. */
  readonly #starredFiles = new Map<FileIndex, readonly FileIndex[]>();
  readonly #extensions: Extensions | null;
  #depth = 0;

  /**
   * Every method may throw `OutOfSteps`.
   * @param home the file whose references are resolved; lookups in it are not recorded in `reads`
   */
  constructor(
    world: GraphState,
    home: FileIndex | null,
    reads: ReadSet,
    budget: StepBudget,
    lineage: (definition: GraphDefinition) => Lineage,
  ) {
    this.#world = world;
    this.#home = home;
    this.#reads = reads;
    this.#budget = budget;
    this.#lineage = lineage;
    this.#extensions = world.rules.extensions
      ? new Extensions(world, reads, budget, {
          evaluateMember: (file, name) => this.evaluateMember(file, name),
          resolveImportedModule: (file, fact) => this.#resolveImportedModule(file, fact),
          evaluateImportedMember: (module, name) => this.#evaluateImportedMember(module, name),
          getLineage: (definition) => this.getLineage(definition),
          listEnclosingTypes: (definition) => this.#listEnclosingTypes(definition),
        })
      : null;
  }

  /**
   * Evaluates the function that a chain calls in a scope.
   * @param receivers objects that a bare name may be called on, innermost first
   */
  evaluateCallee(
    file: FileIndex,
    scope: number,
    chain: readonly string[],
    receivers: readonly (readonly string[])[],
  ): AbstractValues {
    const [name = ''] = chain;
    let isKnown = true;
    for (const receiver of receivers) {
      const objects = this.evaluateChain(file, scope, receiver);
      const values = this.#evaluateAttributeOrExtension(file, scope, objects, name, true);
      if (values.length > 0 && !isOutside(values) && !values.some(isGuess)) return values;
      isKnown &&= objects.length > 0 && !isOutside(objects);
    }
    const values = this.evaluateChain(file, scope, chain, true);
    return isKnown ? values : values.map(markMemberAsGuess);
  }

  /**
   * Evaluates a chain such as `['a', 'b()', 'c']` in the scope of a chunk.
   * @param isCallee true if the whole chain is called
   */
  evaluateChain(
    file: FileIndex,
    scope: number,
    parts: readonly string[],
    isCallee = false,
  ): AbstractValues {
    let values = UNKNOWN;
    for (const [i, part] of parts.entries()) {
      this.#budget.spend();
      const isCall = part.endsWith(CALL);
      const name = isCall ? part.slice(0, -CALL.length) : part;
      if (i > 0 && isCall && this.#world.rules.passThrough?.has(name)) {
        const own = this.evaluateCall(this.evaluateAttribute(values, name));
        if (own.length > 0 && !isOutside(own)) values = own;
        continue;
      }
      const isCalled = isCall || (isCallee && i + 1 === parts.length);
      if (i > 0) values = this.#evaluateAttributeOrExtension(file, scope, values, name, isCalled);
      else if (this.#world.rules.superNames.includes(part)) {
        values = this.#evaluateSuper(file, scope);
        continue;
      } else values = this.#evaluateNameOrExtension(file, scope, name, isCalled);
      if (isCall) values = this.evaluateCall(values);
      if (values.length === 0 && i + 1 < parts.length && !this.#extensions) return UNKNOWN;
    }
    return values;
  }

  /** Evaluates an attribute of values. If they have none of that name, looks for extension functions. */
  #evaluateAttributeOrExtension(
    file: FileIndex,
    scope: number,
    values: AbstractValues,
    name: string,
    isCalled: boolean,
  ): AbstractValues {
    const own = this.evaluateAttribute(values, name, isCalled);
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
  ): AbstractValues {
    const values = this.evaluateName(file, scope, name, isCalled);
    if (!this.#extensions || !isCalled || !isOutside(values)) return values;
    const around = [...this.#listEnclosingTypes(file.getDefinition(scope))];
    const objects = around.map((definition): AbstractValue => ({ kind: 'instance', definition }));
    const found = this.#extensions.find(file, scope, objects, name);
    // The receiver may also be the object that a block receives.
    const meant = found.length > 0 ? found : this.#extensions.find(file, scope, UNKNOWN, name);
    return meant.length > 0 ? this.#callProperties(meant) : values;
  }

  #callProperties(found: AbstractValues): AbstractValues {
    return uniteValues(
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
  evaluateName(
    file: FileIndex,
    scope: number,
    identifier: string,
    isCalled = false,
  ): AbstractValues {
    if (identifier === '?') return UNKNOWN;
    if (identifier === LITERAL) return OUTSIDE;
    const definition = file.getDefinition(scope);
    const known =
      (definition.kind === 'module'
        ? null
        : this.#evaluateLocal(definition, identifier, isCalled)) ??
      this.evaluateMember(file, identifier) ??
      this.#findModuleNamed(file, identifier);
    return known ?? (isCalled ? null : this.#findReopenedClass(file, identifier)) ?? OUTSIDE;
  }

  #findModuleNamed(file: FileIndex, name: string): AbstractValues | null {
    const meant = this.#world.modules.resolveName?.(file.path, name);
    for (const one of meant?.names ?? []) this.#reads.addModule(one);
    return meant?.module ? [{ kind: 'module', module: meant.module }] : null;
  }

  #findReopenedClass(file: FileIndex, name: string): AbstractValues | null {
    if (!this.#world.rules.namespace?.openedElsewhere) return null;
    const definition = this.#world.namespaces.findOnlyClass(name, file.isTest, this.#reads);
    return definition && [{ kind: 'class', definition, guess: true }];
  }

  /** Evaluates a name in a function or in the body of a class; null if it is not defined there. */
  #evaluateLocal(
    definition: GraphDefinition,
    name: string,
    isCalled: boolean,
  ): AbstractValues | null {
    const { isBodyScope, instanceNames, classNames, implicitReceiver } = this.#world.rules;
    const isInstance = instanceNames.includes(name);
    if (definition.kind === 'class') {
      if (isBodyScope === false) return null;
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
  #evaluateVariable(
    definition: GraphDefinition,
    name: string,
    isCalled: boolean,
  ): AbstractValues | null {
    const { functionsAreSeparate, callMethod } = this.#world.rules;
    if (!isCalled || !functionsAreSeparate) return this.#evaluateBound(definition, name);
    if (callMethod === '') return null;
    const bound = this.#evaluateBound(definition, name);
    const isTyped = definition.file.getScope(definition.index).bindings.has(name);
    return bound && isTyped && !this.#isCallable(bound) ? null : bound;
  }

  #isCallable(values: AbstractValues): boolean {
    const { callMethod } = this.#world.rules;
    return (
      callMethod !== '' &&
      values.some(({ kind }) => kind === 'instance') &&
      this.evaluateAttribute(values, callMethod, true).some(({ kind }) => kind === 'function')
    );
  }

  /** Evaluates a name as a member of the enclosing types, innermost first; null if none has it. */
  #evaluateImplicit(
    definition: GraphDefinition,
    name: string,
    isCalled: boolean,
  ): AbstractValues | null {
    for (const type of this.#listEnclosingTypes(definition)) {
      const values = this.#evaluateClassAttribute(type, name, 0, isCalled);
      if (values.length > 0 && !isOutside(values)) return values;
    }
    return null;
  }

  /** Yields the types whose members need no receiver in a definition, innermost first; a class yields itself first. */
  *#listEnclosingTypes(definition: GraphDefinition): Iterable<GraphDefinition> {
    if (definition.extended !== '') {
      const extended = this.#getExtendedType(definition);
      if (extended) yield extended;
    }
    const isClass = definition.kind === 'class';
    let type = isClass
      ? this.#world.namespaces.findWholeType(definition, this.#reads)
      : this.#getEnclosingType(definition);
    for (; type; type = this.#getEnclosingType(type)) yield type;
  }

  /** Returns the type that an extension function extends; null if it is not in the repository. */
  #getExtendedType({ file, extended }: GraphDefinition): GraphDefinition | null {
    const type = this.evaluateMember(file, extended)?.find(({ kind }) => kind === 'class');
    return type?.kind === 'class' ? type.definition : null;
  }

  #getEnclosingType(definition: GraphDefinition): GraphDefinition | null {
    return this.#world.namespaces.findEnclosingType(definition, this.#reads);
  }

  /** Evaluates the imports and assignments of a name in one scope; null if the scope does not bind it. */
  #evaluateBound(definition: GraphDefinition, name: string): AbstractValues | null {
    const { file, index } = definition;
    const scope = file.getScope(index);
    this.#recordLookup(file, name);
    const imports = scope.imports.get(name);
    const bindings = scope.bindings.get(name);
    if (!imports && !bindings) return scope.locals.has(name) ? UNKNOWN : null;
    return uniteValues([
      bindings ? this.#evaluateBindings(file, bindings) : UNKNOWN,
      imports ? this.#evaluateImports(file, imports) : UNKNOWN,
    ]);
  }

  #evaluateSuper(file: FileIndex, scope: number): AbstractValues {
    const definition = file.getDefinition(scope);
    const type = definition.kind === 'class' ? definition : this.#getEnclosingType(definition);
    return type ? [{ kind: 'super', definition: type }] : UNKNOWN;
  }

  /** Evaluates a member of a module, given by its file; null if the module does not define it. */
  evaluateMember(file: FileIndex, name: string): AbstractValues | null {
    const { namespace, isTest } = file;
    const members = getOrAdd(this.#members, file, () => new Map<string, AbstractValues | null>());
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

  #evaluateOwnMember(file: FileIndex, name: string): AbstractValues | null {
    this.#recordLookup(file, name);
    const own = file.top.get(name);
    return own
      ? selectDefinitions(own, this.#world.rules).map((one) => createDefinitionValue(one, null))
      : this.#evaluateBound(file.getDefinition(file.moduleScope), name);
  }

  /** Evaluates a name that the files of a namespace declare; null if none declares it. */
  #evaluateNamespaceMember(
    namespace: string,
    name: string,
    withTests: boolean,
  ): AbstractValues | null {
    this.#reads.addModule(formatNamespaceKey(namespace, name));
    let found: AbstractValues | null = null;
    for (const file of this.#world.namespaces.findDeclaringFiles(namespace, name)) {
      this.#budget.spend();
      if (file.isTest && !withTests) continue;
      const own = this.#evaluateOwnMember(file, name);
      if (own) found = uniteValues([found ?? UNKNOWN, own]);
      if (found?.length === MAX_VALUES) break;
    }
    return found;
  }

  #evaluateStarMember(file: FileIndex, name: string): AbstractValues | null {
    if (this.#world.rules.isHidden(name)) return null;
    for (const source of this.#listStarredFiles(file)) {
      this.#budget.spend();
      this.#recordLookup(source, name);
      const values = source.definesName(name) ? this.evaluateMember(source, name) : null;
      if (values) return values;
    }
    if (!this.#world.rules.namespace) return null;
    for (const source of [file, ...this.#listStarredFiles(file)]) {
      const values = this.#evaluateStarredNamespaceMember(source, name);
      if (values) return values;
    }
    return null;
  }

  #evaluateStarredNamespaceMember(file: FileIndex, name: string): AbstractValues | null {
    for (const fact of file.getScope(file.moduleScope).stars) {
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
        const { stars } = at.getScope(at.moduleScope);
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

  #evaluateImports(file: FileIndex, facts: readonly ImportFact[]): AbstractValues {
    return this.#evaluateOnce(facts, () =>
      uniteValues(facts.map((fact) => this.#evaluateImport(file, fact))),
    );
  }

  #evaluateOnce(
    facts: readonly unknown[] | BindingFact,
    evaluate: () => AbstractValues,
  ): AbstractValues {
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

  #evaluateImport(file: FileIndex, fact: ImportFact): AbstractValues {
    const module = this.#resolveImportedModule(file, fact);
    if (!module) return OUTSIDE;
    if (fact.member !== null) return this.#evaluateImportedMember(module, fact.member);
    return [{ kind: 'module', module: this.#world.modules.resolveLocal(file.path, fact, module) }];
  }

  #evaluateImportedMember(module: RepositoryModule, member: string): AbstractValues {
    const start: AbstractValues = [{ kind: 'module', module }];
    const { inner = [] } = module;
    const around = inner.reduce((values, name) => this.evaluateAttribute(values, name), start);
    const variable = this.evaluateAttribute(around, member);
    if (!this.#world.rules.functionsAreSeparate) return variable;
    // The import does not say whether it means the function or the variable.
    const called = this.evaluateAttribute(around, member, true);
    return isOutside(called) ? variable : uniteValues([called, variable]);
  }

  #resolveImportedModule(file: FileIndex, fact: ImportFact): RepositoryModule | null {
    const { module, names } = this.#world.modules.resolveImport(file.path, fact);
    this.#budget.spend(1 + names.length);
    for (const name of names) this.#reads.addModule(name);
    return module;
  }

  #evaluateModuleAttribute(module: RepositoryModule, name: string): AbstractValues {
    if (module.namespace !== undefined) {
      return this.#evaluateNamespaceMember(module.namespace, name, true) ?? OUTSIDE;
    }
    const file = module.file === null ? undefined : this.#world.files.get(module.file);
    const member = file ? this.evaluateMember(file, name) : null;
    if (member && member.length > 0) return member;
    const child = module.folder === null ? null : this.#findSubmodule(module.folder, name);
    return child ?? (member ? SOMETHING : OUTSIDE);
  }

  #findSubmodule(folder: string, name: string): AbstractValues | null {
    this.#reads.addModule(name);
    const module = this.#world.modules.getChild(folder, name);
    return module ? [{ kind: 'module', module }] : null;
  }

  #evaluateBindings(file: FileIndex, facts: readonly BindingFact[]): AbstractValues {
    return this.#evaluateOnce(facts, () => {
      const evaluateFacts = (some: readonly BindingFact[]) =>
        uniteValues(some.map((fact) => this.#evaluateBinding(file, fact)));
      const annotated = evaluateFacts(facts.filter((fact) => fact.how === 'type'));
      if (annotated.length > 0) return annotated;
      return evaluateFacts(facts.filter((fact) => fact.how !== 'type'));
    });
  }

  #evaluateBinding(file: FileIndex, fact: BindingFact): AbstractValues {
    if (fact.how === 'type') return this.#evaluateAnnotation(file, fact, null);
    const values = this.evaluateChain(file, fact.scope, fact.value.split('.'));
    return fact.how === 'call' ? this.evaluateCall(values) : values;
  }

  #evaluateAnnotation(
    file: FileIndex,
    fact: BindingFact,
    receiver: GraphDefinition | null,
  ): AbstractValues {
    const names = fact.value.split('.');
    if (this.#world.rules.selfTypes.includes(names.at(-1) ?? '')) {
      const self = receiver ?? file.getDefinition(fact.scope).parent;
      return self ? [{ kind: 'instance', definition: self }] : UNKNOWN;
    }
    return this.#evaluateOnce(fact, () =>
      this.evaluateCall(this.evaluateType(file, fact.scope, names)),
    );
  }

  /** Evaluates a type's name in an annotation of a chunk. Annotations belong to the scope around the chunk. */
  evaluateType(file: FileIndex, scope: number, names: readonly string[]): AbstractValues {
    const { parent, kind } = file.getDefinition(scope);
    const around = kind === 'class' ? scope : (parent?.index ?? file.moduleScope);
    let values = this.evaluateChain(file, around, names);
    // Inside a function, an annotation may name something that the function imported.
    if (isOutside(values) && kind !== 'class') values = this.evaluateChain(file, scope, names);
    return values.filter((value) => value.kind !== 'function');
  }

  evaluateCall(values: AbstractValues): AbstractValues {
    if (values.length === 0) return values;
    return uniteValues(values.map((value) => this.#evaluateSingleCall(value)));
  }

  #evaluateSingleCall(value: AbstractValue): AbstractValues {
    switch (value.kind) {
      case 'class':
        return [{ ...value, kind: 'instance' }];
      case 'function':
        return value.guess ? UNKNOWN : this.#evaluateReturns(value.definition, value.receiver);
      case 'instance':
        return this.evaluateCall(
          this.#evaluateClassAttribute(value.definition, this.#world.rules.callMethod, 0, true),
        );
      case 'outside':
        return OUTSIDE;
      default:
        return UNKNOWN;
    }
  }

  #evaluateReturns(definition: GraphDefinition, receiver: GraphDefinition | null): AbstractValues {
    this.#recordLookup(definition.file, definition.name);
    const { file, returns } = definition;
    return uniteValues(returns.map((fact) => this.#evaluateAnnotation(file, fact, receiver)));
  }

  /**
   * Evaluates an attribute of values.
   * @param isCalled true if the attribute is called, so methods come first
   */
  evaluateAttribute(values: AbstractValues, name: string, isCalled = false): AbstractValues {
    const [first] = values;
    if (!first || name === '?') return UNKNOWN;
    return values.length === 1
      ? this.#evaluateSingleAttribute(first, name, isCalled)
      : uniteValues(values.map((value) => this.#evaluateSingleAttribute(value, name, isCalled)));
  }

  #evaluateSingleAttribute(value: AbstractValue, name: string, isCalled: boolean): AbstractValues {
    const values = this.#evaluateCertainAttribute(value, name, isCalled);
    return 'guess' in value && value.guess ? values.map(markAsGuess) : values;
  }

  #evaluateCertainAttribute(value: AbstractValue, name: string, isCalled: boolean): AbstractValues {
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
    receiver: GraphDefinition,
    name: string,
    start: 0 | 1,
    isCalled: boolean,
  ): AbstractValues {
    const { order, complete } = this.getLineage(receiver);
    const isFunction = isCalled && this.#world.rules.functionsAreSeparate === true;
    let isAttribute = false;
    for (const owner of start === 0 ? order : order.slice(start)) {
      this.#budget.spend();
      this.#recordLookup(owner.file, name);
      const members = this.#world.namespaces
        .findMembers(owner, name, this.#reads)
        .filter((member) => this.#canMean(member, owner, isCalled));
      if (members.length > 0) return this.#evaluateMembers(members, receiver);
      const bindings = this.#listAttributeBindings(owner, name);
      if (bindings.length === 0) continue;
      isAttribute = true;
      const values = uniteValues(
        bindings.map(({ file, facts }) => this.#evaluateBindings(file, facts)),
      );
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
  #canMean(member: GraphDefinition, owner: GraphDefinition, isCalled: boolean): boolean {
    const { implicitReceiver, functionsAreSeparate, methodsAreSeparate } = this.#world.rules;
    if (member.extended !== '') return false;
    if (member.kind !== 'method' || member.isProperty) return true;
    if (implicitReceiver && member.name === owner.name) return false;
    return isCalled || !(functionsAreSeparate || methodsAreSeparate);
  }

  /** Returns the bindings of an attribute in a class and its parts, with the file of each. */
  #listAttributeBindings(
    owner: GraphDefinition,
    name: string,
  ): { file: FileIndex; facts: BindingFact[] }[] {
    const parts = this.#world.namespaces.findPartsWithAttribute(owner, name, this.#reads);
    return [owner, ...parts].flatMap(({ file, attributes }) => {
      const facts = attributes.get(name);
      return facts ? [{ file, facts }] : [];
    });
  }

  /** Returns the lineage of a class. Its first use adds its reads and spends its steps. */
  getLineage(definition: GraphDefinition): Lineage {
    const lineage = this.#lineage(this.#world.namespaces.findWholeType(definition, this.#reads));
    if (!this.#reads.parts.has(lineage.reads)) {
      this.#reads.include(lineage.reads);
      this.#budget.cut ||= lineage.cut;
      this.#budget.spend(lineage.steps);
    }
    return lineage;
  }

  #evaluateMembers(members: readonly GraphDefinition[], receiver: GraphDefinition): AbstractValues {
    const property = members.find((member) => member.isProperty);
    if (property) {
      const values = this.#evaluateReturns(property, receiver);
      return values.length > 0 ? values : SOMETHING;
    }
    return [createDefinitionValue(assertPresent(members.at(-1), 'the member of a name'), receiver)];
  }

  #recordLookup(file: FileIndex, name: string): void {
    if (file !== this.#home) this.#reads.addLookup(file, name);
  }
}

/** Returns the value of a key, evaluated once. During evaluation it is `meanwhile`; after an error it is evaluated again. */
function evaluateOnce<K, V extends AbstractValues | null>(
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
  all: readonly GraphDefinition[],
  { typesAreSeparate }: GraphRules,
): readonly GraphDefinition[] {
  const last = all.slice(-1);
  const other = typesAreSeparate && all.findLast(({ kind }) => kind !== last[0]?.kind);
  return other ? [...last, other] : last;
}

function createDefinitionValue(
  definition: GraphDefinition,
  receiver: GraphDefinition | null,
): AbstractValue {
  return definition.kind === 'class'
    ? { kind: 'class', definition }
    : { kind: 'function', definition, receiver };
}

function isGuess(value: AbstractValue): boolean {
  return value.kind === 'function' && value.guess === true;
}

function markMemberAsGuess(value: AbstractValue): AbstractValue {
  return value.kind === 'function' && value.definition.parent ? { ...value, guess: true } : value;
}

function markAsGuess(value: AbstractValue): AbstractValue {
  return 'definition' in value && value.kind !== 'super' ? { ...value, guess: true } : value;
}

function isOutside(values: AbstractValues): boolean {
  return values.length === 1 && values[0]?.kind === 'outside';
}
