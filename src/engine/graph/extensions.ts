import type { ImportFact } from '../languages/facts.ts';
import type { RepositoryModule } from '../languages/modules.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { GraphState, Lineage } from './graph-state.ts';
import { formatNamespaceKey } from './namespaces.ts';
import type { ReadSet } from './read-set.ts';
import type { StepBudget } from './step-budget.ts';
import { type AbstractValue, type AbstractValues, UNKNOWN } from './values.ts';

/** The parts of an evaluator that finding extension functions in scope needs. */
export interface NameLookup {
  evaluateMember(file: FileIndex, name: string): AbstractValues | null;
  resolveImportedModule(file: FileIndex, fact: ImportFact): RepositoryModule | null;
  evaluateImportedMember(module: RepositoryModule, name: string): AbstractValues;
  getLineage(definition: GraphDefinition): Lineage;
  /** Yields the types whose members need no receiver in a chunk, innermost first. */
  listEnclosingTypes(definition: GraphDefinition): Iterable<GraphDefinition>;
}

interface Candidates {
  found: readonly GraphDefinition[];
  /** True if the file names or declares these itself, rather than importing everything of a module. */
  isExplicit: boolean;
}

/**
 * Extension functions: declared outside the type that they extend, but called like methods, as `fun Type.name()`.
 * A call means one that is in scope: declared by an enclosing class, imported by name, declared in the same file or
 * namespace, or imported with a star, in this order.
 */
export class Extensions {
  readonly #world: GraphState;
  readonly #reads: ReadSet;
  readonly #budget: StepBudget;
  readonly #lookup: NameLookup;

  constructor(world: GraphState, reads: ReadSet, budget: StepBudget, names: NameLookup) {
    this.#world = world;
    this.#reads = reads;
    this.#budget = budget;
    this.#lookup = names;
  }

  /**
   * Finds the extension functions that a name may mean in the scope of a chunk if it is called on one of these objects.
   * They are guesses unless the object is known to have the extended type, or the object is from outside and the name
   * explicitly leads to one extension.
   */
  find(file: FileIndex, scope: number, receivers: AbstractValues, name: string): AbstractValues {
    for (const { found, isExplicit } of this.#listInScope(file, scope, name)) {
      const known = found.filter((one) =>
        receivers.some((receiver) => this.#appliesTo(one, receiver) === true),
      );
      if (known.length > 0) return known.map(createFunctionValue);
      const fitting = found.filter(
        (one) =>
          receivers.length === 0 || receivers.some((of) => this.#appliesTo(one, of) !== false),
      );
      if (fitting.length === 0) continue;
      const isFromOutside =
        receivers.length > 0 && receivers.every(({ kind }) => kind === 'outside');
      const isOnly = isExplicit && fitting.length === 1 && isFromOutside;
      return fitting.map((one) =>
        isOnly ? createFunctionValue(one) : { ...createFunctionValue(one), guess: true },
      );
    }
    return UNKNOWN;
  }

  *#listInScope(file: FileIndex, scope: number, name: string): Iterable<Candidates> {
    for (const type of this.#lookup.listEnclosingTypes(file.getDefinition(scope)))
      yield { found: this.#listMembers(type, name), isExplicit: true };
    const { imports, stars } = file.getScope(file.moduleScope);
    const named = (imports.get(name) ?? []).flatMap((fact) => this.#listImported(file, fact));
    yield { found: named, isExplicit: true };
    yield { found: file.extensions.get(name) ?? [], isExplicit: true };
    if (file.namespace !== null && this.#world.rules.namespace?.sharesNames)
      yield { found: this.#listDeclared(file.namespace, name), isExplicit: false };
    const starred = stars.flatMap((fact) => this.#listImported(file, { ...fact, member: name }));
    yield { found: starred, isExplicit: false };
  }

  #listMembers(type: GraphDefinition, name: string): GraphDefinition[] {
    return this.#lookup.getLineage(type).order.flatMap((owner) => {
      this.#budget.spend();
      this.#reads.addLookup(owner.file, name);
      const members = this.#world.namespaces.findMembers(owner, name, this.#reads);
      return members.filter(({ extended }) => extended !== '');
    });
  }

  #listImported(file: FileIndex, fact: ImportFact): GraphDefinition[] {
    const module = this.#lookup.resolveImportedModule(file, fact);
    if (!module || fact.member === null) return [];
    const { namespace, inner = [] } = module;
    const type = inner.at(-1);
    if (namespace === undefined) return [];
    if (type === undefined) return this.#listDeclared(namespace, fact.member);
    const types = this.#lookup.evaluateImportedMember(
      { ...module, inner: inner.slice(0, -1) },
      type,
    );
    const { member } = fact;
    return types.flatMap((one) =>
      one.kind === 'class' ? this.#listMembers(one.definition, member) : [],
    );
  }

  #listDeclared(namespace: string, name: string): GraphDefinition[] {
    this.#reads.addModule(formatNamespaceKey(namespace, name));
    return this.#world.namespaces.findDeclaringFiles(namespace, name).flatMap((file) => {
      this.#budget.spend();
      this.#reads.addLookup(file, name);
      return file.extensions.get(name) ?? [];
    });
  }

  /** Returns true if an extension applies to objects of a value's type; null if unknown. */
  #appliesTo({ file, extended }: GraphDefinition, value: AbstractValue): boolean | null {
    if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super') return null;
    this.#reads.addLookup(file, extended);
    const types = (this.#lookup.evaluateMember(file, extended) ?? []).flatMap((one) =>
      one.kind === 'class' ? [one.definition] : [],
    );
    // A type from outside may be a base of every class: `Any`, or a type parameter.
    if (types.length === 0) return null;
    const { order } = this.#lookup.getLineage(value.definition);
    this.#budget.spend(order.length);
    return types.some((type) => order.includes(type));
  }
}

function createFunctionValue(
  definition: GraphDefinition,
): Extract<AbstractValue, { kind: 'function' }> {
  return { kind: 'function', definition, receiver: null };
}
