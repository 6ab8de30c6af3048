import type { ReferenceFact } from '../languages/facts.ts';
import { type ArgumentTypes, type Fit, sameType, type Type } from './argument-types.ts';
import type { Definition, FileIndex } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import type { Reads } from './reads.ts';

/** Of more that take as many arguments, types are not compared: they are generated. */
const MOST_COMPARED = 64;

/**
 * The definitions of a callee's name, at its place, that take as many arguments as the call has, or those that its class
 * inherits where none does there; none where none does at all. All of that name for a function that is named and not called.
 * The callee itself where numbers tell nothing of it. `basesOf`: what a class derives from, the nearest first.
 */
export function overloadsOf(
  callee: Definition,
  { args }: ReferenceFact,
  namespaces: Namespaces,
  reads: Reads,
  basesOf: (type: Definition) => Iterable<Definition>,
): readonly Definition[] {
  // Which of several extensions is meant, their types tell.
  if (callee.arity === null) return [callee];
  const twins = callee.extended === '' ? twinsOf(callee, namespaces, reads) : [callee];
  if (args === undefined) return twins.filter(({ kind }) => kind === callee.kind);
  const taking = (some: readonly Definition[]) =>
    some.filter(({ arity }) => {
      return arity && arity.least <= args && (arity.most === null || args <= arity.most);
    });
  const own = taking(twins);
  const { kind, parent, name, extended } = callee;
  if (own.length > 0 || kind !== 'method' || !parent || extended !== '') return own;
  for (const base of basesOf(parent)) {
    reads.look(base.file, name);
    const inherited = taking(membersOf(base, name, namespaces, reads));
    if (inherited.length > 0) return inherited;
  }
  return [];
}

function twinsOf(
  { parent, file, name }: Definition,
  namespaces: Namespaces,
  reads: Reads,
): readonly Definition[] {
  if (parent) return membersOf(namespaces.typeOf(parent, reads), name, namespaces, reads);
  return (file.top.get(name) ?? []).filter(({ extended }) => extended === '');
}

function membersOf(
  type: Definition,
  name: string,
  namespaces: Namespaces,
  reads: Reads,
): readonly Definition[] {
  return namespaces.membersOf(type, name, reads).filter(({ extended }) => extended === '');
}

/** The definitions that a call may mean, and whether it may also mean none of them. */
export interface Choice {
  meant: readonly Definition[];
  isGuess: boolean;
}

/** A definition that may be meant by a call: types of its parameters for the arguments, and how these go there. */
interface Candidate {
  definition: Definition;
  parameters: readonly (Type | null)[];
  fits: readonly Fit[];
  /** At least 0: nothing, 1: boxing, or 2: gathering the last arguments into an array is done. `settled` if that is certain. */
  phase: 0 | 1 | 2;
  settled: boolean;
}

/**
 * Of definitions that take as many arguments as a call has, those whose parameters its arguments can go to: the one that
 * the language chooses where enough is known of them, or all that may be meant; all there are where none remains.
 * After Java's rules (Java Language Specification, 15.12.2), which C#, Kotlin and C++ have much in common with: as they are,
 * then boxed, then gathered, and the most specific of those.
 */
export function applicable(
  overloads: readonly Definition[],
  { args, given = [], scope }: ReferenceFact,
  file: FileIndex,
  types: ArgumentTypes,
): Choice {
  const all = { meant: overloads, isGuess: overloads.length > 1 };
  if (!all.isGuess || args === undefined || overloads.length > MOST_COMPARED) return all;
  const values = Array.from({ length: args }, (_, i) =>
    types.ofArgument(file, scope, given[i] ?? ''),
  );
  const fitting = overloads
    .map((definition) => candidateOf(definition, values, types))
    .filter(({ fits }) => !fits.includes('never'));
  if (fitting.length === 0) return all;
  // What is known to be applicable leaves nothing to those that more would have to be done for.
  const last = Math.min(...fitting.filter(isKnown).map(({ phase }) => phase));
  const left = fitting.filter(({ phase }) => phase <= last);
  const isClear =
    values.every((_, i) => isKnownAt(left, i)) && left.every(({ settled }) => settled);
  const chosen = isClear ? mostSpecific(earliest(left), types) : left;
  const meant = chosen.map(({ definition }) => definition);
  if (meant.length === 1) return { meant, isGuess: false };
  // What calls one of its own overloads seldom means itself.
  const caller = file.definition(scope);
  return { meant: meant.filter((one) => one !== caller), isGuess: true };
}

function candidateOf(
  definition: Definition,
  values: readonly (Type | null)[],
  types: ArgumentTypes,
): Candidate {
  const declared = types.ofParameters(definition);
  const last = declared.length - 1;
  const gathers = definition.arity?.most === null;
  const parameters = values.map((_, i) => declared[Math.min(i, last)] ?? null);
  // One array may be given in place of what would be gathered into one.
  const element = gathers && values.length === declared.length ? parameters.at(-1) : null;
  const whole = element ? { ...element, dimensions: element.dimensions + 1 } : null;
  const fit = whole ? types.fit(values.at(-1) ?? null, whole) : 'never';
  const isWhole = fit === 'same';
  const taken = isWhole ? parameters.with(-1, whole) : parameters;
  const fits = taken.map((type, i) => types.fit(values[i] ?? null, type));
  const isBoxed = fits.some(
    (one, i) => one === 'boxed' || (one === null && isObject(taken[i], values[i], types)),
  );
  const settled = !gathers || isWhole || fit === 'never';
  const phase = gathers && settled && !isWhole ? 2 : isBoxed ? 1 : 0;
  // Nothing is known of what may be an array, and may be an element of one.
  const known = settled ? fits : fits.with(-1, null);
  return { definition, parameters: taken, fits: known, phase, settled };
}

/** Returns true if a parameter takes only objects, and an argument is not an object. */
function isObject(
  parameter: Type | null | undefined,
  value: Type | null | undefined,
  types: ArgumentTypes,
): boolean {
  return value != null && types.isPlain(value) && !(parameter && types.isPlain(parameter));
}

function isKnown({ fits, settled }: Candidate): boolean {
  return settled && !fits.includes(null);
}

/** True if it is known how an argument goes to all candidates, or they take the same there. */
function isKnownAt(candidates: readonly Candidate[], at: number): boolean {
  if (candidates.every(({ fits }) => fits[at] !== null)) return true;
  const [first] = candidates;
  return candidates.every(({ parameters }) =>
    sameType(parameters[at] ?? null, first?.parameters[at] ?? null),
  );
}

function earliest(candidates: readonly Candidate[]): readonly Candidate[] {
  const first = Math.min(...candidates.map(({ phase }) => phase));
  return candidates.filter(({ phase }) => phase === first);
}

/** The one whose parameters can go to those of all others; all, where there is none. */
function mostSpecific(
  candidates: readonly Candidate[],
  types: ArgumentTypes,
): readonly Candidate[] {
  const goesTo = (one: Candidate, other: Candidate) =>
    one.parameters.every((type, i) => {
      const to = other.parameters[i] ?? null;
      return sameType(type, to) || types.fit(type, to) === 'same';
    });
  const best = candidates.filter((one) => candidates.every((other) => goesTo(one, other)));
  return best.length === 1 ? best : candidates;
}
