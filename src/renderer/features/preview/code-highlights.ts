/** Highlights in the code what a reason refers to. */
import { useEffect, useRef } from 'react';
import type { FileDetail, OutlinedChunk } from '../../../shared/detail.ts';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/to-range.ts';
import { findCodeHighlight, getCurrentResponse, useHighlight } from '../search/index.ts';
import styles from './preview.module.css';

/** Highlights what a reason refers to in the shown file, while the pointer is on the reason. */
export function useCodeHighlights(
  made: editor.IStandaloneCodeEditor | null,
  file: FileDetail | null,
): void {
  const { highlighted, revealCount } = useHighlight();
  const shown = useRef(revealCount);
  useEffect(() => {
    const model = made?.getModel();
    const chunk = file?.chunks.find(({ address }) => address === highlighted?.chunk.address);
    if (!made || !model || !file || !highlighted || !chunk) return;
    const marks = made.createDecorationsCollection();
    let isCurrent = true;
    const { frames = [], paths = [] } = getCurrentResponse()?.issue ?? {};
    const { words, within, lines } = findCodeHighlight(highlighted, { frames, paths });
    const [first, last] = getLineRange(chunk, within, model.getLineCount());
    const from = { startLineNumber: first, startColumn: 1 };
    const text = model.getValueInRange({
      ...from,
      endLineNumber: last,
      endColumn: model.getLineMaxColumn(last),
    });
    const found = words.length > 0 && engine.call('words.ranges', { text, words, path: file.path });
    Promise.resolve(found || []).then(
      (places) => {
        if (!isCurrent || model.isDisposed()) return;
        const begin = model.getOffsetAt({ lineNumber: first, column: 1 });
        const ranges = places.map(([start, end]) => toRange(model, begin + start, begin + end));
        const wholeLines = lines
          .filter((line) => line <= model.getLineCount())
          .map((line) => ({
            startLineNumber: line,
            startColumn: model.getLineFirstNonWhitespaceColumn(line) || 1,
            endLineNumber: line,
            endColumn: model.getLineMaxColumn(line),
          }));
        const all = [...wholeLines, ...ranges];
        marks.set(all.map((range) => ({ range, options: { inlineClassName: styles.highlight } })));
        if (all[0] && revealCount > shown.current)
          made.revealRangeInCenterIfOutsideViewport(all[0]);
        shown.current = revealCount;
      },
      () => {},
    );
    return () => {
      isCurrent = false;
      marks.clear();
    };
  }, [made, file, highlighted, revealCount]);
}

/** Returns the first and last line to highlight in, 1-based. */
function getLineRange(
  { startLine, endLine, headerLine }: OutlinedChunk,
  within: ReturnType<typeof findCodeHighlight>['within'],
  count: number,
): [number, number] {
  const [first, last] =
    within === 'file'
      ? [1, count]
      : within === 'header'
        ? [headerLine, headerLine]
        : [startLine, endLine];
  return [Math.min(first, count), Math.min(last, count)];
}
