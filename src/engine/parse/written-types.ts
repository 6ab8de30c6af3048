import { getOrAdd } from '../../shared/get-or-add.ts';
import type { BindingFact } from '../languages/facts.ts';
import type { ArgumentForms } from '../languages/language.ts';
import { Extents } from './blocks.ts';
import type { Match, Matches } from './grammar.ts';
import type { ParsedChunk } from './types.ts';

/** Bounds that name other variables of types are followed this far. */
const DEEPEST = 8;
const OPEN = '?';
/** Variables of one name and scope that are told apart; more are generated. */
const MOST_DECLARED = 100;

/** A variable's type as it is written, empty for none, and the extent it stands in. */
interface Declaration {
  extent: number;
  type: string;
}

/**
 * The types that a file writes, as calls compare them: without what is erased, and with what variables of types are
 * bound to in their place.
 */
export class WrittenTypes {
  readonly #forms: ArgumentForms;
  readonly #chunks: readonly ParsedChunk[];
  /** Bounds of variables of types, by scope and name. */
  readonly #bounds = new Map<number, Map<string, string[]>>();
  readonly #declared = new Map<number, Map<string, Declaration[]>>();
  readonly #extents: Extents;
  readonly #bound: ReadonlySet<string>;

  constructor(
    forms: ArgumentForms,
    chunks: readonly ParsedChunk[],
    matches: Matches,
    bindings: readonly BindingFact[],
    scopeOf: (match: Match, part: string) => number,
  ) {
    this.#forms = forms;
    this.#chunks = chunks;
    this.#bound = new Set(bindings.map(({ scope, target }) => keyOf(scope, target)));
    for (const match of matches.get('variable') ?? []) {
      const bounds = entry(this.#bounds, scopeOf(match, 'name'), match.get('name').text);
      const bound = match.find('bound')?.text;
      if (bound !== undefined) bounds.push(bound);
    }
    this.#extents = new Extents(matches.get('extent') ?? []);
    const declare = (match: Match, part: string, type: string) => {
      const node = match.get(part);
      const declared = entry(this.#declared, scopeOf(match, part), node.text);
      declared.push({ extent: this.#extents.around(node.startIndex), type });
    };
    const typed = new Set<number>();
    for (const match of matches.get('binding') ?? []) {
      const type = match.find('type')?.text;
      const target = match.find('target');
      if (type === undefined || !target || forms.erased(type) === null) continue;
      typed.add(target.startIndex);
      declare(match, 'target', type);
    }
    for (const match of matches.get('local') ?? []) {
      if (typed.has(match.get('name').startIndex)) continue;
      const element = match.find('element')?.text;
      declare(match, 'name', element === undefined ? '' : `${element}[]`);
    }
  }

  /** The type of a value that is declared with one, as it is written in the scope of a chunk; empty for what says nothing. */
  ofValue(scope: number, written: string): string {
    return this.#erased(scope, written, false, 0);
  }

  /** The type of a parameter of a chunk; with `?` in front, the object that it is called on may know a narrower one. */
  ofParameter(scope: number, written: string): string {
    return this.#erased(scope, written, true, 0);
  }

  /** The type of what a function gives; empty where what it is called with or on decides. */
  ofResult(scope: number, written: string): string {
    const type = this.#forms.erased(written);
    const [name = ''] = type?.split('[') ?? [];
    for (let at = scope; at >= 0; at = this.#chunks[at]?.parent ?? -1)
      if (this.#bounds.get(at)?.has(name)) return '';
    return type ?? '';
  }

  /**
   * The type that a variable is declared with that is named at an index of the text in a scope, or in the class around it;
   * empty where it is not known; null for one that is not declared there, or of which bindings say all there is.
   */
  ofVariable(scope: number, name: string, at: number): string | null {
    const all = this.#declared.get(scope)?.get(name) ?? [];
    const around = this.#around(all, at);
    const field = around.length === 0 ? this.ofField(scope, name, at) : null;
    if (all.length === 0 || field !== null) return field;
    // A pattern's variable holds beyond where it stands as well.
    const type = onlyType(around.length > 0 ? around : all);
    if (type === '') return this.#bound.has(keyOf(scope, name)) ? null : '';
    return type === null ? '' : this.ofValue(scope, type);
  }

  /** The type that the class around a scope declares an attribute with, as for variables. */
  ofField(scope: number, name: string, at: number): string | null {
    const type = this.#chunks[scope]?.parent ?? -1;
    const around = this.#around(this.#declared.get(type)?.get(name) ?? [], at);
    return around.length > 0 ? this.ofValue(type, onlyType(around) ?? '') : null;
  }

  /** The innermost of the declarations that an index of the text is in the extent of. */
  #around(all: readonly Declaration[], at: number): readonly Declaration[] {
    if (all.length > MOST_DECLARED) return all;
    const around = all.filter(({ extent }) => this.#extents.holds(extent, at));
    const innermost = Math.max(...around.map(({ extent }) => extent));
    return around.filter(({ extent }) => extent === innermost);
  }

  #erased(scope: number, written: string, isParameter: boolean, depth: number): string {
    const type = this.#forms.erased(written);
    if (type === null || depth > DEEPEST) return '';
    const [name = '', ...arrays] = type.split('[');
    const dimensions = '[]'.repeat(arrays.length);
    for (let at = scope; at >= 0; at = this.#chunks[at]?.parent ?? -1) {
      const bounds = this.#bounds.get(at)?.get(name);
      if (!bounds) continue;
      if (bounds.length > 1) return '';
      const [bound] = bounds;
      const erased =
        bound === undefined ? this.#forms.bound : this.#erased(at, bound, false, depth + 1);
      // What a variable of a class stands for, its objects know.
      const isOpen = isParameter && this.#chunks[at]?.kind === 'class';
      return erased === '' ? '' : (isOpen ? OPEN : '') + erased + dimensions;
    }
    return type;
  }
}

/** The type of declarations, empty for none that is written; null where they differ. */
function onlyType(declarations: readonly Declaration[]): string | null {
  const [only = '', ...others] = new Set(declarations.map(({ type }) => type));
  return others.length > 0 ? null : only;
}

function entry<T>(map: Map<number, Map<string, T[]>>, scope: number, name: string): T[] {
  const names = getOrAdd(map, scope, () => new Map<string, T[]>());
  return getOrAdd(names, name, () => []);
}

function keyOf(scope: number, name: string): string {
  return `${scope} ${name}`;
}
