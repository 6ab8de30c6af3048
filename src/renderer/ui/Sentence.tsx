import { partsOf } from './code-spans.ts';
import styles from './controls.module.css';
import { Source } from './controls.tsx';

/** What the engine says, with text of a repository or an issue between backquotes: that is shown as code. */
export function Sentence({ text }: { text: string }) {
  return partsOf(text).map(({ text: part, isCode }, at) =>
    isCode ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <code key={at} className={styles.code}>
        <Source text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same
      <Source key={at} text={part} />
    ),
  );
}
