import { splitSentence } from './code-spans.ts';
import styles from './controls.module.css';
import { SourceText } from './controls.tsx';

/** Shows a sentence of the engine. Text between backquotes comes from a repository or an issue, and is shown as code. */
export function Sentence({ text }: { text: string }) {
  return splitSentence(text).map(({ text: part, isCode }, at) =>
    isCode ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
      <code key={at} className={styles.code}>
        <SourceText text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same
      <SourceText key={at} text={part} />
    ),
  );
}
