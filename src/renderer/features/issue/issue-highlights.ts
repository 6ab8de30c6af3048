/** Highlights the words in the issue that a reason refers to. */
import { useEffect } from 'react';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/to-range.ts';
import { findIssueHighlight, useHighlight } from '../search/index.ts';
import styles from './issue.module.css';

type Ranges = readonly (readonly [start: number, end: number])[];

/** Highlights the words of a reason in the issue while the pointer or the focus is on that reason. */
export function useIssueHighlights(issueEditor: editor.IStandaloneCodeEditor | null): void {
  const { highlighted, revealed } = useHighlight();
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
      if (first && isNewReveal(revealed)) issueEditor.revealRangeInCenterIfOutsideViewport(first);
    });
    // After an edit, the decorations could cover other words, such as those of a newly pasted issue.
    const edits = model.onDidChangeContent(() => decorations.clear());
    return () => {
      isActive = false;
      edits.dispose();
      decorations.clear();
    };
  }, [issueEditor, highlighted, revealed]);
}

let lastRevealed = 0;

function isNewReveal(revealed: number): boolean {
  const before = lastRevealed;
  lastRevealed = revealed;
  return revealed > before;
}

/**
 * Returns the ranges of the words that lie within spans whose text is unchanged. Without words, returns those spans;
 * without spans, all ranges of the words.
 */
async function findRanges(
  text: string,
  words: string[],
  spans: ReturnType<typeof findIssueHighlight>['spans'],
): Promise<Ranges> {
  const unchanged = spans
    .filter((span) => text.startsWith(span.text, span.start))
    .map(({ start, end }) => [start, end] as const);
  if (words.length === 0) return unchanged;
  const ranges = await engine.call('words.places', { text, words }).catch(() => []);
  if (spans.length === 0) return ranges;
  return ranges.filter(([start, end]) =>
    unchanged.some(([from, to]) => start >= from && end <= to),
  );
}
