import type { Node } from 'web-tree-sitter';
import { NULL } from '../languages/conversions.ts';
import type { ArgumentForms, Language, Part } from '../languages/language.ts';
import { partOf } from './parts.ts';
import type { WrittenTypes } from './written-types.ts';

/** Of later arguments, and of those that are nested deeper, nothing is said. */
const MAX_ARGUMENTS = 6;
const DEEPEST = 8;
/** Longer ones say nothing, in UTF-16 units. */
const MAX_TEXT = 80;

/** Says what is known of the types of arguments, as `ReferenceFact.given` has it. */
export class Arguments {
  readonly #language: Language;
  readonly #forms: ArgumentForms;
  readonly #types: WrittenTypes;
  readonly #chainOf: (node: Node) => string | null;

  /** `chainOf`: a value as a dotted chain, or null. */
  constructor(
    language: Language,
    forms: ArgumentForms,
    types: WrittenTypes,
    chainOf: (node: Node) => string | null,
  ) {
    this.#language = language;
    this.#forms = forms;
    this.#types = types;
    this.#chainOf = chainOf;
  }

  /** What is known of the arguments of a list in the scope of a chunk; empty when nothing is. */
  of(list: Node, scope: number): string[] {
    const { comment } = this.#language.nodes;
    const given = list.namedChildren
      .filter(({ type }) => !comment.includes(type))
      .slice(0, MAX_ARGUMENTS)
      .map((node) => this.#of(node, scope, 0));
    return given.slice(0, given.findLastIndex((one) => one !== '') + 1);
  }

  #of(node: Node, scope: number, depth: number): string {
    const type = this.#typeOf(node, scope, depth);
    const known = type === null ? this.#chain(node, scope) : type && `:${type}`;
    return known.length > MAX_TEXT ? '' : known;
  }

  /** The type of a value, empty where it is not known; null for a name or chain that the syntax does not tell it of. */
  #typeOf(written: Node, scope: number, depth: number): string | null {
    if (depth > DEEPEST) return '';
    const node = this.#unwrapped(written);
    const { values, typed, elements, choices, operations } = this.#forms;
    const { type } = node;
    const [value, named, array] = [values[type], typed[type], elements[type]];
    const [choice, operation] = [choices[type], operations[type]];
    const partType = (part: Part) => {
      const inner = partOf(node, part);
      return (inner && this.#typeOf(inner, scope, depth + 1)) ?? '';
    };
    if (value) return value(node.text) ?? '';
    if (named !== undefined) return this.#types.ofValue(scope, partOf(node, named)?.text ?? '');
    if (array !== undefined) return elementOf(partType(array));
    if (choice) return eitherOf(partType(choice[0]), partType(choice[1]));
    if (operation) {
      const operator = node.childForFieldName('operator')?.text ?? '';
      return this.#forms.operation(operator, operation.map(partType)) ?? '';
    }
    return this.#ofName(node, scope);
  }

  #ofName(node: Node, scope: number): string | null {
    const { names, invocations } = this.#language.nodes;
    const { instanceNames } = this.#language.graph;
    const invocation = invocations?.[node.type];
    if (invocation) {
      const args = node.childForFieldName('arguments')?.namedChildCount ?? 0;
      return this.#forms.result(partOf(node, invocation.name)?.text ?? '', args);
    }
    if (names.includes(node.type) && !instanceNames.includes(node.text))
      return this.#types.ofVariable(scope, node.text, node.startIndex);
    const [head = '', name, ...rest] = this.#chainOf(node)?.split('.') ?? [];
    const isField = name !== undefined && rest.length === 0 && instanceNames.includes(head);
    return isField ? this.#types.ofField(scope, name, node.startIndex) : null;
  }

  /** A chain, unless what it begins with is a variable that the call graph knows nothing of. */
  #chain(node: Node, scope: number): string {
    const chain = this.#chainOf(this.#unwrapped(node)) ?? '';
    const [head = ''] = chain.split('.');
    const isKnown =
      head.endsWith('()') || this.#types.ofVariable(scope, head, node.startIndex) !== '';
    return isKnown ? chain : '';
  }

  #unwrapped(node: Node): Node {
    const { wrappers } = this.#language.nodes;
    let at = node;
    while (wrappers.includes(at.type) && this.#forms.typed[at.type] === undefined) {
      const inner = at.firstNamedChild;
      if (!inner) break;
      at = inner;
    }
    return at;
  }
}

/** The type of an array's elements. */
function elementOf(array: string): string {
  return array.endsWith('[]') ? array.slice(0, -'[]'.length) : '';
}

/** The type of what is one of two values: theirs where they agree, or one is nothing. */
function eitherOf(one: string, other: string): string {
  if (one === NULL) return other;
  return other === NULL || one === other ? one : '';
}
