/** Walks the syntax trees that SWC parses. */

/** Visits a node and all nodes below it, in source order. Does not visit the children of a node for which `onNode` returns false. */
export function visitNodes(node: unknown, onNode: (node: object) => boolean | undefined): void {
  if (Array.isArray(node)) for (const child of node) visitNodes(child, onNode);
  else if (typeof node === 'object' && node !== null && onNode(node) !== false)
    for (const child of Object.values(node)) visitNodes(child, onNode);
}
