import type { ImportFact } from '../languages/facts.ts';
import type { Module } from '../languages/modules.ts';
import type { Budget } from './budget.ts';
import type { Definition, FileIndex } from './file-index.ts';
import { namespaceKey } from './namespaces.ts';
import type { Reads } from './reads.ts';
import { UNKNOWN, type Value, type Values } from './values.ts';
import type { Lineage, World } from './world.ts';

/** The evaluator that looks for extensions, as far as telling those in scope takes. */
export interface Names {
  member(file: FileIndex, name: string): Values | null;
  importedModule(file: FileIndex, fact: ImportFact): Module | null;
  importedMember(module: Module, name: string): Values;
  lineageOf(definition: Definition): Lineage;
  /** The types whose members have no need of a receiver in a chunk, innermost first. */
  typesAround(definition: Definition): Iterable<Definition>;
}

interface Candidates {
  found: readonly Definition[];
  /** Whether the file itself says that it means these. */
  isExplicit: boolean;
}

/**
 * Functions that are declared for types they are no part of, and are called on objects like methods: `fun Type.name()`.
 * A call means one that is in scope where the call stands: declared by a class around it, imported by name, of the same
 * file or namespace, or imported with all others of its place, in this order.
 */
export class Extensions {
  readonly #world: World;
  readonly #reads: Reads;
  readonly #budget: Budget;
  readonly #names: Names;

  constructor(world: World, reads: Reads, budget: Budget, names: Names) {
    this.#world = world;
    this.#reads = reads;
    this.#budget = budget;
    this.#names = names;
  }

  /**
   * The extensions that a name may mean in the scope of a chunk when it is called on one of these objects. Guesses, unless
   * the object is known to be of the type that is extended, or comes from outside and the name leads to one extension.
   */
  find(file: FileIndex, scope: number, receivers: Values, name: string): Values {
    for (const { found, isExplicit } of this.#inScope(file, scope, name)) {
      const known = found.filter((one) =>
        receivers.some((receiver) => this.#extends(one, receiver) === true),
      );
      if (known.length > 0) return known.map(functionValue);
      const fitting = found.filter(
        (one) => receivers.length === 0 || receivers.some((of) => this.#extends(one, of) !== false),
      );
      if (fitting.length === 0) continue;
      const isFromOutside =
        receivers.length > 0 && receivers.every(({ kind }) => kind === 'outside');
      const isOnly = isExplicit && fitting.length === 1 && isFromOutside;
      return fitting.map((one) =>
        isOnly ? functionValue(one) : { ...functionValue(one), guess: true },
      );
    }
    return UNKNOWN;
  }

  *#inScope(file: FileIndex, scope: number, name: string): Iterable<Candidates> {
    for (const type of this.#names.typesAround(file.definition(scope)))
      yield { found: this.#membersOf(type, name), isExplicit: true };
    const { imports, stars } = file.scope(file.moduleScope);
    const named = (imports.get(name) ?? []).flatMap((fact) => this.#imported(file, fact));
    yield { found: named, isExplicit: true };
    yield { found: file.extensions.get(name) ?? [], isExplicit: true };
    if (file.namespace !== null && this.#world.rules.namespace?.sharesNames)
      yield { found: this.#declaredIn(file.namespace, name), isExplicit: false };
    const starred = stars.flatMap((fact) => this.#imported(file, { ...fact, member: name }));
    yield { found: starred, isExplicit: false };
  }

  #membersOf(type: Definition, name: string): Definition[] {
    return this.#names.lineageOf(type).order.flatMap((owner) => {
      this.#budget.spend();
      this.#reads.look(owner.file, name);
      const members = this.#world.namespaces.membersOf(owner, name, this.#reads);
      return members.filter(({ extended }) => extended !== '');
    });
  }

  #imported(file: FileIndex, fact: ImportFact): Definition[] {
    const module = this.#names.importedModule(file, fact);
    if (!module || fact.member === null) return [];
    const { namespace, inner = [] } = module;
    const type = inner.at(-1);
    if (namespace === undefined) return [];
    if (type === undefined) return this.#declaredIn(namespace, fact.member);
    const types = this.#names.importedMember({ ...module, inner: inner.slice(0, -1) }, type);
    const { member } = fact;
    return types.flatMap((one) =>
      one.kind === 'class' ? this.#membersOf(one.definition, member) : [],
    );
  }

  #declaredIn(namespace: string, name: string): Definition[] {
    this.#reads.tryModule(namespaceKey(namespace, name));
    return this.#world.namespaces.declaring(namespace, name).flatMap((file) => {
      this.#budget.spend();
      this.#reads.look(file, name);
      return file.extensions.get(name) ?? [];
    });
  }

  /** Whether an extension is for objects of a value's type; null where that is not known. */
  #extends({ file, extended }: Definition, value: Value): boolean | null {
    if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super') return null;
    this.#reads.look(file, extended);
    const types = (this.#names.member(file, extended) ?? []).flatMap((one) =>
      one.kind === 'class' ? [one.definition] : [],
    );
    // What comes from outside may be above every class: `Any`, or a type parameter.
    if (types.length === 0) return null;
    const { order } = this.#names.lineageOf(value.definition);
    this.#budget.spend(order.length);
    return types.some((type) => order.includes(type));
  }
}

function functionValue(definition: Definition): Extract<Value, { kind: 'function' }> {
  return { kind: 'function', definition, receiver: null };
}
