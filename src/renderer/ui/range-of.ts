import type { editor, IRange } from './monaco.ts';

/** The range of a model between two offsets, in UTF-16 units. */
export function toRange(model: editor.ITextModel, start: number, end: number): IRange {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(end);
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}
