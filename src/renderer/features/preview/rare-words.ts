/** Tints words of the issue that are rare in the repository, wherever a file contains them. */
import { useEffect } from 'react';
import type { FileDetail } from '../../../shared/detail.ts';
import { engine } from '../../platform/client.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/to-range.ts';
import { getResponse, useSearch } from '../search/index.ts';
import styles from './preview.module.css';

const NONE: readonly string[] = [];
/** Maximum number of tinted occurrences. */
const MAX_PLACES = 3000;

/** Tints the rare words of the current search in the shown file. */
export function useRareWords(
  made: editor.IStandaloneCodeEditor | null,
  file: FileDetail | null,
): void {
  const words = useSearch((state) => getResponse(state)?.issue.rare) ?? NONE;
  const key = words.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has a new list, mostly with the same words
  useEffect(() => {
    const model = made?.getModel();
    if (!made || !model || !file || words.length === 0) return;
    const tinted = made.createDecorationsCollection();
    let isCurrent = true;
    engine
      .call('words.ranges', { text: model.getValue(), words: [...words], path: file.path })
      .then(
        (places) => {
          if (!isCurrent || model.isDisposed()) return;
          const options = { inlineClassName: styles.mention };
          const shown = places.slice(0, MAX_PLACES);
          tinted.set(shown.map(([start, end]) => ({ range: toRange(model, start, end), options })));
        },
        () => {},
      );
    return () => {
      isCurrent = false;
      tinted.clear();
    };
  }, [made, file, key]);
}
