import type { ReferenceFact } from '../languages/facts.ts';
import { type ArgumentTypes, type Fit, isSameType, type StaticType } from './argument-types.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import type { ReadSet } from './read-set.ts';

/** With more overloads for a number of arguments, the code is generated, and types are not compared. */
const MAX_COMPARED = 64;

/**
 * Returns the definitions with the callee's name, in its class or file, that take as many arguments as the call has. If
 * there are none, returns inherited ones, or an empty list. For a function that is named but not called, returns all of
 * its name. If the callee's number of parameters is unknown, returns the callee.
 * @param basesOf yields the bases of a class, the nearest first
 */
export function findOverloads(
  callee: GraphDefinition,
  { args }: ReferenceFact,
  namespaces: Namespaces,
  reads: ReadSet,
  basesOf: (type: GraphDefinition) => Iterable<GraphDefinition>,
): readonly GraphDefinition[] {
  // Extensions of one name are told apart by the extended types, so each is its own overload.
  if (callee.arity === null) return [callee];
  const sameNamed = callee.extended === '' ? findSameNamed(callee, namespaces, reads) : [callee];
  if (args === undefined) return sameNamed.filter(({ kind }) => kind === callee.kind);
  const filterByArguments = (some: readonly GraphDefinition[]) =>
    some.filter(({ arity }) => {
      return arity && arity.least <= args && (arity.most === null || args <= arity.most);
    });
  const own = filterByArguments(sameNamed);
  const { kind, parent, name, extended } = callee;
  if (own.length > 0 || kind !== 'method' || !parent || extended !== '') return own;
  for (const base of basesOf(parent)) {
    reads.addLookup(base.file, name);
    const inherited = filterByArguments(findOwnMembers(base, name, namespaces, reads));
    if (inherited.length > 0) return inherited;
  }
  return [];
}

function findSameNamed(
  { parent, file, name }: GraphDefinition,
  namespaces: Namespaces,
  reads: ReadSet,
): readonly GraphDefinition[] {
  if (parent)
    return findOwnMembers(namespaces.findWholeType(parent, reads), name, namespaces, reads);
  return (file.top.get(name) ?? []).filter(({ extended }) => extended === '');
}

function findOwnMembers(
  type: GraphDefinition,
  name: string,
  namespaces: Namespaces,
  reads: ReadSet,
): readonly GraphDefinition[] {
  return namespaces.findMembers(type, name, reads).filter(({ extended }) => extended === '');
}

/** Definitions that a call may mean; a guess if it may mean only some or none of them. */
export interface OverloadChoice {
  meant: readonly GraphDefinition[];
  isGuess: boolean;
}

/** A definition that a call may mean, with the parameter type for each argument and how the argument fits it. */
interface Candidate {
  definition: GraphDefinition;
  parameters: readonly (StaticType | null)[];
  fits: readonly Fit[];
  /** Conversions that are needed at least: 0 none, 1 boxing, 2 gathering the last arguments into an array. */
  phase: 0 | 1 | 2;
  /** True if `phase` is certain. */
  settled: boolean;
}

/**
 * Chooses among definitions that take as many arguments as a call has. Returns the one that the language would choose if
 * enough types are known, otherwise all that the arguments may fit, or all if they fit none.
 * Follows Java (Java Language Specification, 15.12.2), which C#, Kotlin and C++ resemble: first arguments as they are, then
 * with boxing, then with variable arguments; and the most specific of those.
 */
export function chooseOverloads(
  overloads: readonly GraphDefinition[],
  { args, given = [], scope }: ReferenceFact,
  file: FileIndex,
  types: ArgumentTypes,
): OverloadChoice {
  const all = { meant: overloads, isGuess: overloads.length > 1 };
  if (!all.isGuess || args === undefined || overloads.length > MAX_COMPARED) return all;
  const values = Array.from({ length: args }, (_, i) =>
    types.getArgumentType(file, scope, given[i] ?? ''),
  );
  const fitting = overloads
    .map((definition) => createCandidate(definition, values, types))
    .filter(({ fits }) => !fits.includes('never'));
  if (fitting.length === 0) return all;
  // A definition that certainly applies excludes those that need more conversions.
  const lowestPhase = Math.min(...fitting.filter(isKnown).map(({ phase }) => phase));
  const remaining = fitting.filter(({ phase }) => phase <= lowestPhase);
  const isClear =
    values.every((_, i) => isKnownAt(remaining, i)) && remaining.every(({ settled }) => settled);
  const chosen = isClear ? selectMostSpecific(selectLowestPhase(remaining), types) : remaining;
  const meant = chosen.map(({ definition }) => definition);
  if (meant.length === 1) return { meant, isGuess: false };
  // A call to an overload of the caller's own name is seldom recursive.
  const caller = file.getDefinition(scope);
  return { meant: meant.filter((one) => one !== caller), isGuess: true };
}

function createCandidate(
  definition: GraphDefinition,
  values: readonly (StaticType | null)[],
  types: ArgumentTypes,
): Candidate {
  const declared = types.getParameterTypes(definition);
  const last = declared.length - 1;
  const gathers = definition.arity?.most === null;
  const parameters = values.map((_, i) => declared[Math.min(i, last)] ?? null);
  // An array may be passed directly instead of single arguments that are gathered into one.
  const element = gathers && values.length === declared.length ? parameters.at(-1) : null;
  const whole = element ? { ...element, dimensions: element.dimensions + 1 } : null;
  const fit = whole ? types.fit(values.at(-1) ?? null, whole) : 'never';
  const isWhole = fit === 'same';
  const taken = isWhole ? parameters.with(-1, whole) : parameters;
  const fits = taken.map((type, i) => types.fit(values[i] ?? null, type));
  const isBoxed = fits.some(
    (one, i) => one === 'boxed' || (one === null && needsBoxing(taken[i], values[i], types)),
  );
  const settled = !gathers || isWhole || fit === 'never';
  const phase = gathers && settled && !isWhole ? 2 : isBoxed ? 1 : 0;
  // The last argument may be the array or an element of it, so its fit is unknown.
  const known = settled ? fits : fits.with(-1, null);
  return { definition, parameters: taken, fits: known, phase, settled };
}

/** Returns true if a parameter takes only objects, and an argument is not an object. */
function needsBoxing(
  parameter: StaticType | null | undefined,
  value: StaticType | null | undefined,
  types: ArgumentTypes,
): boolean {
  return value != null && types.isPlain(value) && !(parameter && types.isPlain(parameter));
}

function isKnown({ fits, settled }: Candidate): boolean {
  return settled && !fits.includes(null);
}

/** Returns true if an argument's fit is known for all candidates, or all have the same parameter type there. */
function isKnownAt(candidates: readonly Candidate[], at: number): boolean {
  if (candidates.every(({ fits }) => fits[at] !== null)) return true;
  const [first] = candidates;
  return candidates.every(({ parameters }) =>
    isSameType(parameters[at] ?? null, first?.parameters[at] ?? null),
  );
}

function selectLowestPhase(candidates: readonly Candidate[]): readonly Candidate[] {
  const first = Math.min(...candidates.map(({ phase }) => phase));
  return candidates.filter(({ phase }) => phase === first);
}

/** Returns the candidate whose parameter types fit those of all others; all candidates if there is none. */
function selectMostSpecific(
  candidates: readonly Candidate[],
  types: ArgumentTypes,
): readonly Candidate[] {
  const fitsInto = (one: Candidate, other: Candidate) =>
    one.parameters.every((type, i) => {
      const to = other.parameters[i] ?? null;
      return isSameType(type, to) || types.fit(type, to) === 'same';
    });
  const best = candidates.filter((one) => candidates.every((other) => fitsInto(one, other)));
  return best.length === 1 ? best : candidates;
}
