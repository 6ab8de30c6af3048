import { useEffect } from 'react';
import type { IssueSpan } from '../../../shared/evidence.ts';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/to-range.ts';
import { findIssueHighlight, useHighlight } from '../search/index.ts';
import styles from './issue.module.css';

type Ranges = readonly (readonly [start: number, end: number])[];

/** Highlights what a reason refers to in the issue, while the pointer or the focus is on the reason. */
export function useIssueHighlights(issueEditor: editor.IStandaloneCodeEditor | null): void {
  const { highlighted, revealCount } = useHighlight();
  useEffect(() => {
    const model = issueEditor?.getModel();
    if (!issueEditor || !model || !highlighted) return;
    const decorations = issueEditor.createDecorationsCollection();
    let isActive = true;
    const { words, spans } = findIssueHighlight(highlighted);
    findRanges(model.getValue(), words, spans).then((found) => {
      // The text may have been edited, or the pointer may have left, in the meantime.
      if (!isActive || model.isDisposed()) return;
      const ranges = found.map(([start, end]) => toRange(model, start, end));
      const options = { inlineClassName: styles.highlight };
      decorations.set(ranges.map((range) => ({ range, options })));
      const [first] = ranges;
      if (first && registerReveal(revealCount))
        issueEditor.revealRangeInCenterIfOutsideViewport(first);
    });
    // After an edit, the decorations could cover other words, such as those of a newly pasted issue.
    const editListener = model.onDidChangeContent(() => decorations.clear());
    return () => {
      isActive = false;
      editListener.dispose();
      decorations.clear();
    };
  }, [issueEditor, highlighted, revealCount]);
}

/** Latest `revealCount` whose highlight was found. It outlives the editor, so that a new editor does not scroll again. */
let lastRevealCount = 0;

/** Returns true if the reveal is new, and registers it. */
function registerReveal(revealCount: number): boolean {
  const isNew = revealCount > lastRevealCount;
  lastRevealCount = revealCount;
  return isNew;
}

/**
 * Returns the ranges of the words, only within the spans if there are any; the ranges of the spans if there are no words. Ignores
 * spans whose text was edited after the search.
 */
async function findRanges(
  text: string,
  words: string[],
  spans: readonly IssueSpan[],
): Promise<Ranges> {
  const spanRanges = spans
    .filter((span) => text.startsWith(span.text, span.start))
    .map(({ start, end }) => [start, end] as const);
  if (words.length === 0) return spanRanges;
  // Without an answer, nothing is highlighted.
  const wordRanges = await engine.call('words.ranges', { text, words }).catch(() => []);
  if (spans.length === 0) return wordRanges;
  return wordRanges.filter(([start, end]) =>
    spanRanges.some(([from, to]) => start >= from && end <= to),
  );
}
