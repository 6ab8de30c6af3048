import { NULL_TYPE } from '../languages/conversions.ts';
import type { ArgumentForms, Language, NodePart } from '../languages/language.ts';
import type { DeclaredTypes } from './declared-types.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Maximum number of described arguments, and maximum depth of nested expressions whose types are inferred. */
const MAX_ARGUMENTS = 6;
const MAX_DEPTH = 8;
/** Maximum length of a description in UTF-16 units; longer ones are dropped. */
const MAX_DESCRIPTION = 80;

/**
 * Creates a function that describes the types of the arguments in a list, in the scope of a chunk, in the form of
 * `ReferenceFact.given`.
 * @param getChain returns a value as a dotted chain, or null
 */
export function createArgumentReader(
  { nodes, graph }: Language,
  forms: ArgumentForms,
  types: DeclaredTypes,
  getChain: (node: SyntaxNode) => string | null,
): (list: SyntaxNode, scope: number) => string[] {
  function describeArgument(node: SyntaxNode, scope: number): string {
    const type = inferType(node, scope, 0);
    const description = type === null ? getKnownChain(node, scope) : type && `:${type}`;
    return description.length > MAX_DESCRIPTION ? '' : description;
  }

  /** Returns the type of a value, '' if it is unknown; null for a name or chain whose type the syntax does not tell. */
  function inferType(written: SyntaxNode, scope: number, depth: number): string | null {
    if (depth > MAX_DEPTH) return '';
    const node = unwrap(written);
    const { type } = node;
    const [value, named, array] = [
      forms.literalTypes[type],
      forms.typed[type],
      forms.elements[type],
    ];
    const [choice, operation] = [forms.choices[type], forms.operations[type]];
    const inferPart = (part: NodePart) => {
      const inner = node.getPart(part);
      return (inner && inferType(inner, scope, depth + 1)) ?? '';
    };
    if (value) return value(node.text) ?? '';
    if (named !== undefined) return types.resolveValueType(scope, node.getPart(named)?.text ?? '');
    if (array !== undefined) return getElementType(inferPart(array));
    if (choice) return getCommonType(inferPart(choice[0]), inferPart(choice[1]));
    if (operation) {
      const operator = node.getPart('operator')?.text ?? '';
      return forms.inferOperation(operator, operation.map(inferPart)) ?? '';
    }
    return inferNameType(node, scope);
  }

  function inferNameType(node: SyntaxNode, scope: number): string | null {
    const invocation = nodes.invocations?.[node.type];
    if (invocation) {
      const args = node.getPart('arguments')?.namedChildren.length ?? 0;
      return forms.inferResult(node.getPart(invocation.name)?.text ?? '', args);
    }
    if (nodes.names.includes(node.type) && !graph.instanceNames.includes(node.text))
      return types.getVariableType(scope, node.text, node.startIndex);
    const [head = '', name, ...rest] = getChain(node)?.split('.') ?? [];
    const isField = name !== undefined && rest.length === 0 && graph.instanceNames.includes(head);
    return isField ? types.getFieldType(scope, name, node.startIndex) : null;
  }

  /** Returns a chain, or '' if it begins with a variable whose type the call graph cannot know. */
  function getKnownChain(node: SyntaxNode, scope: number): string {
    const chain = getChain(unwrap(node)) ?? '';
    const [head = ''] = chain.split('.');
    const isKnown =
      head.endsWith('()') || types.getVariableType(scope, head, node.startIndex) !== '';
    return isKnown ? chain : '';
  }

  function unwrap(node: SyntaxNode): SyntaxNode {
    const isWrapper = nodes.wrappers.includes(node.type) && forms.typed[node.type] === undefined;
    const inner = isWrapper ? node.getPart(0) : null;
    return inner ? unwrap(inner) : node;
  }

  return (list, scope) => {
    const given = list.namedChildren
      .filter(({ type }) => !nodes.comment.includes(type))
      .slice(0, MAX_ARGUMENTS)
      .map((node) => describeArgument(node, scope));
    return given.slice(0, given.findLastIndex((one) => one !== '') + 1);
  };
}

function getElementType(array: string): string {
  return array.endsWith('[]') ? array.slice(0, -'[]'.length) : '';
}

/** Returns the common type of two alternatives; the other type if one is null; '' if they differ. */
function getCommonType(one: string, other: string): string {
  if (one === NULL_TYPE) return other;
  return other === NULL_TYPE || one === other ? one : '';
}
