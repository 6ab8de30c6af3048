/** What a reason speaks of, lit up in the code. */
import { useEffect, useRef } from 'react';
import type { FileDetail, OutlinedChunk } from '../../../shared/detail.ts';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/range-of.ts';
import { litInCode, responseNow, useLit } from '../search/index.ts';
import styles from './preview.module.css';

/** Lights up, while a reason is pointed at, what of the shown file it speaks of. */
export function useLitWords(
  made: editor.IStandaloneCodeEditor | null,
  file: FileDetail | null,
): void {
  const { lit, revealed } = useLit();
  const shown = useRef(revealed);
  useEffect(() => {
    const model = made?.getModel();
    const chunk = file?.chunks.find(({ address }) => address === lit?.chunk.address);
    if (!made || !model || !file || !lit || !chunk) return;
    const marks = made.createDecorationsCollection();
    let wanted = true;
    const { frames = [], paths = [] } = responseNow()?.issue ?? {};
    const { words, within, lines } = litInCode(lit, { frames, paths });
    const [first, last] = linesOf(chunk, within, model.getLineCount());
    const from = { startLineNumber: first, startColumn: 1 };
    const text = model.getValueInRange({
      ...from,
      endLineNumber: last,
      endColumn: model.getLineMaxColumn(last),
    });
    const found = words.length > 0 && engine.call('words.places', { text, words, path: file.path });
    Promise.resolve(found || []).then(
      (places) => {
        if (!wanted || model.isDisposed()) return;
        const begin = model.getOffsetAt({ lineNumber: first, column: 1 });
        const ranges = places.map(([start, end]) => toRange(model, begin + start, begin + end));
        const whole = lines
          .filter((line) => line <= model.getLineCount())
          .map((line) => ({
            startLineNumber: line,
            startColumn: model.getLineFirstNonWhitespaceColumn(line) || 1,
            endLineNumber: line,
            endColumn: model.getLineMaxColumn(line),
          }));
        const all = [...whole, ...ranges];
        marks.set(all.map((range) => ({ range, options: { inlineClassName: styles.lit } })));
        if (all[0] && revealed > shown.current) made.revealRangeInCenterIfOutsideViewport(all[0]);
        shown.current = revealed;
      },
      () => {},
    );
    return () => {
      wanted = false;
      marks.clear();
    };
  }, [made, file, lit, revealed]);
}

/** First and last line, 1-based. */
function linesOf(
  { startLine, endLine, headerLine }: OutlinedChunk,
  within: ReturnType<typeof litInCode>['within'],
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
