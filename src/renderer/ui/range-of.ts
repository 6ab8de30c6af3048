import type { editor } from './monaco.ts';

/** As Monaco has ranges: from 1, the end not included. */
interface Span {
  startLineNumber: number;
  startColumn: number;
  endLineNumber: number;
  endColumn: number;
}

/** The range of a model between two offsets, in UTF-16 units. */
export function rangeOf(model: editor.ITextModel, start: number, end: number): Span {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(end);
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}
