import { getOrAdd } from '../../shared/get-or-add.ts';
import type { BindingFact } from '../languages/facts.ts';
import type { ArgumentForms } from '../languages/language.ts';
import { NestedExtents } from './blocks.ts';
import type { QueryMatch } from './query-match.ts';
import type { Matches } from './tree-query.ts';
import type { ParsedChunk } from './types.ts';

/** Maximum number of type parameters followed from bound to bound. */
const MAX_DEPTH = 8;
const OPEN_PREFIX = '?';
/** Maximum number of declarations of one name in a scope that are told apart. Code with more is generated. */
const MAX_DECLARATIONS = 100;

/** Type of a variable as written, or empty if it has none, and the extent that declares it. */
interface Declaration {
  extent: number;
  type: string;
}

/** Types that a file declares, in the form in which calls compare them: erased, with type parameters replaced by their bounds. */
export class DeclaredTypes {
  readonly #forms: ArgumentForms;
  readonly #chunks: readonly ParsedChunk[];
  /** Bounds of type parameters, by scope and name. */
  readonly #bounds = new Map<number, Map<string, string[]>>();
  readonly #declared = new Map<number, Map<string, Declaration[]>>();
  readonly #extents: NestedExtents;
  readonly #bindingKeys: ReadonlySet<string>;

  constructor(
    forms: ArgumentForms,
    chunks: readonly ParsedChunk[],
    matches: Matches,
    bindings: readonly BindingFact[],
    getScope: (match: QueryMatch, part: string) => number,
  ) {
    this.#forms = forms;
    this.#chunks = chunks;
    this.#bindingKeys = new Set(bindings.map(({ scope, target }) => formatKey(scope, target)));
    for (const match of matches.get('variable') ?? []) {
      const bounds = getEntries(this.#bounds, getScope(match, 'name'), match.get('name').text);
      const bound = match.find('bound')?.text;
      if (bound !== undefined) bounds.push(bound);
    }
    this.#extents = new NestedExtents(matches.get('extent') ?? []);
    const declare = (match: QueryMatch, part: string, type: string) => {
      const node = match.get(part);
      const declared = getEntries(this.#declared, getScope(match, part), node.text);
      declared.push({ extent: this.#extents.findInnermost(node.startIndex), type });
    };
    const typed = new Set<number>();
    for (const match of matches.get('binding') ?? []) {
      const type = match.find('type')?.text;
      const target = match.find('target');
      if (type === undefined || !target || forms.eraseType(type) === null) continue;
      typed.add(target.startIndex);
      declare(match, 'target', type);
    }
    for (const match of matches.get('local') ?? []) {
      if (typed.has(match.get('name').startIndex)) continue;
      const element = match.find('element')?.text;
      declare(match, 'name', element === undefined ? '' : `${element}[]`);
    }
  }

  /** Returns the type of a value from its type annotation in the scope of a chunk; empty if the annotation does not tell. */
  resolveValueType(scope: number, written: string): string {
    return this.#erased(scope, written, false, 0);
  }

  /** Returns the type of a chunk's parameter. A `?` in front means that the receiver may have a narrower one. */
  resolveParameterType(scope: number, written: string): string {
    return this.#erased(scope, written, true, 0);
  }

  /** Returns the result type of a function; empty if it depends on the arguments or the receiver. */
  resolveResultType(scope: number, written: string): string {
    const type = this.#forms.eraseType(written);
    const [name = ''] = type?.split('[') ?? [];
    for (let at = scope; at >= 0; at = this.#chunks[at]?.parent ?? -1)
      if (this.#bounds.get(at)?.has(name)) return '';
    return type ?? '';
  }

  /**
   * Returns the declared type of a variable that is named at an index of the text. The variable is declared in the scope or in
   * the class around it.
   * @returns empty if the type is unknown; null if the variable is not declared there, or if its bindings tell more
   */
  getVariableType(scope: number, name: string, at: number): string | null {
    const all = this.#declared.get(scope)?.get(name) ?? [];
    const around = this.#around(all, at);
    const field = around.length === 0 ? this.getFieldType(scope, name, at) : null;
    if (all.length === 0 || field !== null) return field;
    // A pattern's variable is in scope beyond its own extent as well.
    const type = getOnlyType(around.length > 0 ? around : all);
    if (type === '') return this.#bindingKeys.has(formatKey(scope, name)) ? null : '';
    return type === null ? '' : this.resolveValueType(scope, type);
  }

  /** Returns the declared type of an attribute of the class around a scope, as for variables. */
  getFieldType(scope: number, name: string, at: number): string | null {
    const type = this.#chunks[scope]?.parent ?? -1;
    const around = this.#around(this.#declared.get(type)?.get(name) ?? [], at);
    return around.length > 0 ? this.resolveValueType(type, getOnlyType(around) ?? '') : null;
  }

  /** Returns the declarations whose extent contains an index of the text; of nested extents, those in the innermost. */
  #around(all: readonly Declaration[], at: number): readonly Declaration[] {
    if (all.length > MAX_DECLARATIONS) return all;
    const around = all.filter(({ extent }) => this.#extents.contains(extent, at));
    const innermost = Math.max(...around.map(({ extent }) => extent));
    return around.filter(({ extent }) => extent === innermost);
  }

  #erased(scope: number, written: string, isParameter: boolean, depth: number): string {
    const type = this.#forms.eraseType(written);
    if (type === null || depth > MAX_DEPTH) return '';
    const [name = '', ...arrays] = type.split('[');
    const dimensions = '[]'.repeat(arrays.length);
    for (let at = scope; at >= 0; at = this.#chunks[at]?.parent ?? -1) {
      const bounds = this.#bounds.get(at)?.get(name);
      if (!bounds) continue;
      if (bounds.length > 1) return '';
      const [bound] = bounds;
      const erased =
        bound === undefined ? this.#forms.defaultBound : this.#erased(at, bound, false, depth + 1);
      // Only the receiver tells what a type parameter of its class stands for.
      const isOpen = isParameter && this.#chunks[at]?.kind === 'class';
      return erased === '' ? '' : (isOpen ? OPEN_PREFIX : '') + erased + dimensions;
    }
    return type;
  }
}

/** Returns the common type of declarations, empty if none is written; null if they differ. */
function getOnlyType(declarations: readonly Declaration[]): string | null {
  const [only = '', ...others] = new Set(declarations.map(({ type }) => type));
  return others.length > 0 ? null : only;
}

function getEntries<T>(map: Map<number, Map<string, T[]>>, scope: number, name: string): T[] {
  const names = getOrAdd(map, scope, () => new Map<string, T[]>());
  return getOrAdd(names, name, () => []);
}

function formatKey(scope: number, name: string): string {
  return `${scope} ${name}`;
}
