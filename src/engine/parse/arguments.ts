import type { Node } from 'web-tree-sitter';
import { NULL } from '../languages/conversions.ts';
import type { ArgumentForms, Language, Part } from '../languages/language.ts';
import { getPart } from './grammar.ts';
import type { WrittenTypes } from './written-types.ts';

/** Of later arguments, and of those that are nested deeper, nothing is said. */
const MAX_ARGUMENTS = 6;
const DEEPEST = 8;
/** Longer ones say nothing, in UTF-16 units. */
const MAX_TEXT = 80;

/**
 * Returns a reader of what is known of the types of the arguments in a list, in the scope of a chunk, as
 * `ReferenceFact.given` has it.
 * @param chainOf returns a value as a dotted chain, or null
 */
export function argumentReader(
  { nodes, graph }: Language,
  forms: ArgumentForms,
  types: WrittenTypes,
  chainOf: (node: Node) => string | null,
): (list: Node, scope: number) => string[] {
  function known(node: Node, scope: number): string {
    const type = inferType(node, scope, 0);
    const said = type === null ? knownChain(node, scope) : type && `:${type}`;
    return said.length > MAX_TEXT ? '' : said;
  }

  /** Returns the type of a value, '' where it is unknown; null for a name or chain that the syntax does not tell it of. */
  function inferType(written: Node, scope: number, depth: number): string | null {
    if (depth > DEEPEST) return '';
    const node = unwrapped(written);
    const { type } = node;
    const [value, named, array] = [forms.values[type], forms.typed[type], forms.elements[type]];
    const [choice, operation] = [forms.choices[type], forms.operations[type]];
    const partType = (part: Part) => {
      const inner = getPart(node, part);
      return (inner && inferType(inner, scope, depth + 1)) ?? '';
    };
    if (value) return value(node.text) ?? '';
    if (named !== undefined) return types.ofValue(scope, getPart(node, named)?.text ?? '');
    if (array !== undefined) return elementOf(partType(array));
    if (choice) return eitherOf(partType(choice[0]), partType(choice[1]));
    if (operation) {
      const operator = node.childForFieldName('operator')?.text ?? '';
      return forms.operation(operator, operation.map(partType)) ?? '';
    }
    return typeOfName(node, scope);
  }

  function typeOfName(node: Node, scope: number): string | null {
    const invocation = nodes.invocations?.[node.type];
    if (invocation) {
      const args = node.childForFieldName('arguments')?.namedChildCount ?? 0;
      return forms.result(getPart(node, invocation.name)?.text ?? '', args);
    }
    if (nodes.names.includes(node.type) && !graph.instanceNames.includes(node.text))
      return types.ofVariable(scope, node.text, node.startIndex);
    const [head = '', name, ...rest] = chainOf(node)?.split('.') ?? [];
    const isField = name !== undefined && rest.length === 0 && graph.instanceNames.includes(head);
    return isField ? types.ofField(scope, name, node.startIndex) : null;
  }

  /** Returns a chain, unless it begins with a variable that the call graph knows nothing of. */
  function knownChain(node: Node, scope: number): string {
    const chain = chainOf(unwrapped(node)) ?? '';
    const [head = ''] = chain.split('.');
    const isKnown = head.endsWith('()') || types.ofVariable(scope, head, node.startIndex) !== '';
    return isKnown ? chain : '';
  }

  function unwrapped(node: Node): Node {
    const isWrapper = nodes.wrappers.includes(node.type) && forms.typed[node.type] === undefined;
    const inner = isWrapper ? node.firstNamedChild : null;
    return inner ? unwrapped(inner) : node;
  }

  return (list, scope) => {
    const given = list.namedChildren
      .filter(({ type }) => !nodes.comment.includes(type))
      .slice(0, MAX_ARGUMENTS)
      .map((node) => known(node, scope));
    return given.slice(0, given.findLastIndex((one) => one !== '') + 1);
  };
}

function elementOf(array: string): string {
  return array.endsWith('[]') ? array.slice(0, -'[]'.length) : '';
}

/** The type of what is one of two values: theirs where they agree, or one is nothing. */
function eitherOf(one: string, other: string): string {
  if (one === NULL) return other;
  return other === NULL || one === other ? one : '';
}
