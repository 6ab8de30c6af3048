/** Definitions that are parts of templates. */
import type { MarkupSection } from '../languages/markup.ts';
import type { Definition } from './definitions.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** Creates the definitions of a file's parts of templates, which are in order. */
export function createSectionDefinitions(
  sections: readonly MarkupSection[],
  tree: SyntaxTree,
): Definition[] {
  return sections.map((section) => {
    const { name, startIndex, endIndex } = section;
    const start = tree.locate(startIndex);
    return {
      kind: 'function',
      name,
      qualifier: '',
      owner: '',
      nameIndex: startIndex,
      startIndex,
      endIndex,
      startRow: start.row,
      endRow: tree.locate(Math.max(startIndex, endIndex - 1)).row,
      startColumn: start.column,
      firstColumn: 0,
      lastColumn: Number.POSITIVE_INFINITY,
      headerIndex: startIndex,
      headerRow: start.row,
      headerEndRow: start.row,
      bodyIndex: -1,
      hasBody: true,
      doc: null,
      hasErrors: false,
      parent: null,
      isChunk: true,
      section,
    };
  });
}
