/** Highlights in the issue's text the words that a reason speaks of. */
import { useEffect } from 'react';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/range-of.ts';
import { litInIssue, useLit } from '../search/index.ts';
import styles from './issue.module.css';

type Ranges = readonly (readonly [start: number, end: number])[];

/** Lights up, while a reason is pointed at, what of the issue it speaks of. */
export function useLitWords(made: editor.IStandaloneCodeEditor | null): void {
  const { lit, revealed } = useLit();
  useEffect(() => {
    const model = made?.getModel();
    if (!made || !model || !lit) return;
    const marks = made.createDecorationsCollection();
    let wanted = true;
    const { words, spans } = litInIssue(lit);
    placesIn(model.getValue(), words, spans).then((places) => {
      // The text may have been edited, or the pointer gone, meanwhile.
      if (!wanted || model.isDisposed()) return;
      const ranges = places.map(([start, end]) => toRange(model, start, end));
      marks.set(ranges.map((range) => ({ range, options: { inlineClassName: styles.lit } })));
      const [first] = ranges;
      if (first && isNew(revealed)) made.revealRangeInCenterIfOutsideViewport(first);
    });
    // Else they would go on over whatever takes the place of the words, as another issue that is pasted.
    const edits = model.onDidChangeContent(() => marks.clear());
    return () => {
      wanted = false;
      edits.dispose();
      marks.clear();
    };
  }, [made, lit, revealed]);
}

let shown = 0;

function isNew(revealed: number): boolean {
  const before = shown;
  shown = revealed;
  return revealed > before;
}

/** The words within the spans that still stand in the text; the spans where no words are given, and the words where no spans are. */
async function placesIn(
  text: string,
  words: string[],
  spans: ReturnType<typeof litInIssue>['spans'],
): Promise<Ranges> {
  const within = spans
    .filter((span) => text.startsWith(span.text, span.start))
    .map(({ start, end }) => [start, end] as const);
  if (words.length === 0) return within;
  const places = await engine.call('words.places', { text, words }).catch(() => []);
  if (spans.length === 0) return places;
  return places.filter(([start, end]) => within.some(([from, to]) => start >= from && end <= to));
}
