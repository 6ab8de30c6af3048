import type { Node } from 'web-tree-sitter';
import type { Part } from '../languages/language.ts';

/** A part of a node; null where it has none of that kind. */
export function partOf(node: Node, part: Part): Node | null {
  if (typeof part === 'string') return node.childForFieldName(part);
  return node.namedChild(part < 0 ? node.namedChildCount + part : part);
}
