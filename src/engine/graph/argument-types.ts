import { getOrAdd } from '../../shared/get-or-add.ts';
import { FUNCTION_TYPE, NULL_TYPE, type TypeConversions } from '../languages/conversions.ts';
import type { ReferenceFact } from '../languages/facts.ts';
import type { Evaluator } from './evaluator.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { StepBudget } from './step-budget.ts';

/** Static type of an argument or a parameter. */
export interface StaticType {
  name: string;
  dimensions: number;
  /** The repository's class of that name, for an array its element class; null for a type from outside. */
  definition: GraphDefinition | null;
  /** True if the file that names the type imports it; without a `definition`, from outside the repository. */
  imported: boolean;
  /** True for a type variable, which stands for this type or a narrower one. */
  open: boolean;
}

/** Result of matching an argument against a parameter: unchanged, by boxing or unboxing, or not at all; null if unknown. */
export type Fit = 'same' | 'boxed' | 'never' | null;

const ARRAY = '[]';
const CALL = '()';
const OPEN = '?';

export class ArgumentTypes {
  readonly #evaluator: Evaluator;
  readonly #conversions: TypeConversions;
  readonly #budget: StepBudget;
  readonly #parameterTypes = new Map<GraphDefinition, readonly (StaticType | null)[]>();

  /** @param budget every comparison spends a step of it, so each method may throw `OutOfSteps` */
  constructor(evaluator: Evaluator, conversions: TypeConversions, budget: StepBudget) {
    this.#evaluator = evaluator;
    this.#budget = budget;
    this.#conversions = conversions;
  }

  getParameterTypes(definition: GraphDefinition): readonly (StaticType | null)[] {
    return getOrAdd(this.#parameterTypes, definition, () =>
      (definition.arity?.types ?? []).map((type) =>
        this.#resolveName(definition.file, definition.index, type),
      ),
    );
  }

  getArgumentType(file: FileIndex, scope: number, given: string): StaticType | null {
    return given.startsWith(':')
      ? this.#resolveName(file, scope, given.slice(1))
      : this.#resolveChain(file, scope, given);
  }

  #resolveName(file: FileIndex, scope: number, written: string): StaticType | null {
    if (written === '') return null;
    const open = written.startsWith(OPEN);
    const [whole = '', ...arrays] = written.slice(open ? OPEN.length : 0).split(ARRAY);
    const names = whole.split('.');
    const name = names.at(-1) ?? '';
    const dimensions = arrays.length;
    const imported = file.getScope(file.moduleScope).imports.has(names[0] ?? '');
    const outside = { name, dimensions, definition: null, imported, open };
    if (this.#conversions.boxes.has(name) || name === NULL_TYPE || name === FUNCTION_TYPE)
      return outside;
    const values = this.#evaluator.evaluateType(file, scope, names);
    const [value] = values;
    if (!value || values.length > 1) return null;
    if (value.kind === 'outside') return outside;
    return value.kind === 'class' ? { ...outside, definition: value.definition } : null;
  }

  #resolveChain(file: FileIndex, scope: number, chain: string): StaticType | null {
    if (chain === '') return null;
    const parts = chain.split('.');
    const last = parts.pop() ?? '';
    const isCall = last.endsWith(CALL);
    const values = isCall
      ? this.#evaluator.evaluateCallee(file, scope, [...parts, last.slice(0, -CALL.length)], [])
      : this.#evaluator.evaluateChain(file, scope, [...parts, last]);
    const [value] = values;
    if (!value || values.length > 1) return null;
    if (value.kind === (isCall ? 'class' : 'instance')) return createClassType(value.definition);
    if (isCall)
      return value.kind === 'function' && !value.guess
        ? this.#resolveResult(value.definition)
        : null;
    const [object, ...others] = this.#evaluator.evaluateChain(file, scope, parts);
    return object?.kind === 'instance' && others.length === 0
      ? this.#resolveAttribute(object.definition, last)
      : null;
  }

  /** Returns the declared type of an attribute, from the class or its nearest base, if that type is from outside. */
  #resolveAttribute(definition: GraphDefinition, name: string): StaticType | null {
    const { order } = this.#evaluator.getLineage(definition);
    const owner = order.find(({ attributes }) => attributes.has(name));
    const declared = owner?.attributes.get(name)?.filter(({ how }) => how === 'type') ?? [];
    const [only] = declared;
    if (!owner || !only || declared.length > 1) return null;
    const type = this.#resolveName(owner.file, only.scope, only.value);
    // The name may be a type variable's.
    const isType = type?.imported || this.#conversions.supertypes.has(type?.name ?? '');
    return isType ? type : null;
  }

  /** Returns the result type of a function; null unless all overloads in the same scope return the same type. */
  #resolveResult(definition: GraphDefinition): StaticType | null {
    const { parent, file, name } = definition;
    const twins = (parent ? parent.members.get(name) : file.top.get(name)) ?? [];
    const results = new Set(twins.map(({ arity }) => arity?.result ?? ''));
    const [only = ''] = results;
    return results.size === 1 ? this.#resolveName(file, definition.index, only) : null;
  }

  fit(argument: StaticType | null, parameter: StaticType | null): Fit {
    this.#budget.spend();
    if (!argument || !parameter) return null;
    if (parameter.open) {
      const bound = this.fit(argument, { ...parameter, open: false });
      return bound === 'never' ? bound : null;
    }
    const isAny = parameter.name === this.#conversions.any && !parameter.definition;
    if (isAny && parameter.dimensions <= argument.dimensions) {
      const elements = { ...argument, dimensions: argument.dimensions - parameter.dimensions };
      return !this.isPlain(elements) ? 'same' : parameter.dimensions > 0 ? 'never' : 'boxed';
    }
    if (argument.name === NULL_TYPE) return this.isPlain(parameter) ? 'never' : 'same';
    if (argument.name === FUNCTION_TYPE) return this.#fitFunction(parameter);
    if (argument.dimensions === 0 && parameter.dimensions === 0)
      return this.#fitSingle(argument, parameter);
    return this.#fitArray(argument, parameter);
  }

  /** Matches a lambda. For classes of the repository the answer is null: they may or may not be functional interfaces. */
  #fitFunction({ name, dimensions, definition }: StaticType): Fit {
    if (dimensions > 0) return 'never';
    if (definition) return null;
    const { supertypes } = this.#conversions;
    if (supertypes.get(FUNCTION_TYPE)?.has(name)) return 'same';
    return supertypes.has(name) ? 'never' : null;
  }

  #fitArray(argument: StaticType, parameter: StaticType): Fit {
    const { implied } = this.#conversions;
    if (parameter.dimensions === 0)
      return parameter.definition === null && implied.has(parameter.name) ? null : 'never';
    if (argument.dimensions !== parameter.dimensions) return 'never';
    const [from, to] = [
      { ...argument, dimensions: 0 },
      { ...parameter, dimensions: 0 },
    ];
    const isPlain = this.isPlain(from) || this.isPlain(to);
    return isPlain && from.name !== to.name ? 'never' : this.#fitSingle(from, to);
  }

  #fitSingle(argument: StaticType, parameter: StaticType): Fit {
    const { supertypes, finals } = this.#conversions;
    if (argument.definition) return this.#fitClass(argument.definition, parameter);
    if (!parameter.definition && argument.name === parameter.name) return 'same';
    const known = supertypes.get(argument.name);
    if (known)
      return parameter.definition ? 'never' : this.#fitKnownType(argument.name, parameter.name);
    if (!parameter.definition) return finals.has(parameter.name) ? 'never' : null;
    // A class from outside cannot derive from a class of the repository.
    return argument.imported ? 'never' : null;
  }

  #fitClass(definition: GraphDefinition, { definition: to, name }: StaticType): Fit {
    const { order, complete, cut } = this.#evaluator.getLineage(definition);
    const { supertypes, finals, implied } = this.#conversions;
    if (to ? order.includes(to) : order.some(({ bases }) => bases.some(isBaseNamed(name))))
      return 'same';
    if (!to && finals.has(name)) return 'never';
    const known = new Set(order.map((one) => one.name));
    const outside = order
      .flatMap(({ bases }) => bases.map(({ chain }) => chain.at(-1) ?? ''))
      .filter((base) => !known.has(base));
    if (!to && outside.some((base) => supertypes.get(base)?.has(name))) return 'same';
    const isKnown = complete || (!cut && outside.every((base) => supertypes.has(base)));
    return isKnown && (to || !implied.has(name)) ? 'never' : null;
  }

  /** Matches a type whose supertypes are all known. */
  #fitKnownType(argument: string, parameter: string): Fit {
    const { supertypes, boxes } = this.#conversions;
    const isSubtype = (from: string, to: string) => from === to || supertypes.get(from)?.has(to);
    if (isSubtype(argument, parameter)) return 'same';
    const box = boxes.get(argument);
    if (box !== undefined) return isSubtype(box, parameter) ? 'boxed' : 'never';
    const plain = boxes.entries().find(([, box]) => box === argument)?.[0];
    return plain !== undefined && isSubtype(plain, parameter) ? 'boxed' : 'never';
  }

  isPlain({ name, dimensions }: StaticType): boolean {
    return dimensions === 0 && this.#conversions.boxes.has(name);
  }
}

export function isSameType(one: StaticType | null, other: StaticType | null): boolean {
  return (
    one !== null &&
    other !== null &&
    one.definition === other.definition &&
    one.name === other.name &&
    one.dimensions === other.dimensions
  );
}

function isBaseNamed(name: string): (base: ReferenceFact) => boolean {
  return ({ chain }) => chain.at(-1) === name;
}

function createClassType(definition: GraphDefinition): StaticType {
  return { name: definition.name, dimensions: 0, definition, imported: false, open: false };
}
