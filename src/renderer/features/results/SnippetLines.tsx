import type { Snippet, SnippetLine } from '../../../shared/detail.ts';
import { SourceText } from '../../ui/controls.tsx';
import styles from './results.module.css';

/** Shows the lines of a chunk that contain most of the words; on a narrow row, only the best line. */
export function SnippetLines({ snippet, wide }: { snippet: Snippet | null; wide: boolean }) {
  const lines = wide ? (snippet ?? []) : (snippet ?? []).slice(0, 1).map(removeIndent);
  return (
    <span className={styles.snippet} aria-hidden="true">
      {lines.map((line) => (
        <span key={line.line} className={styles.codeLine}>
          <span className={styles.lineNumber}>{line.line}</span>
          <WithMatches {...line} />
        </span>
      ))}
    </span>
  );
}

function removeIndent({ line, text, matches }: SnippetLine): SnippetLine {
  const shown = text.trimStart();
  const indent = text.length - shown.length;
  return {
    line,
    text: shown,
    matches: matches.map(([start, end]) => [start - indent, end - indent]),
  };
}

function WithMatches({ text, matches }: SnippetLine) {
  const ends = [0, ...matches.map(([, end]) => end)];
  return (
    <span className={styles.codeText}>
      {matches.map(([start, end], at) => (
        <span key={start}>
          <SourceText text={text.slice(ends[at], start)} />
          <mark>
            <SourceText text={text.slice(start, end)} />
          </mark>
        </span>
      ))}
      <SourceText text={text.slice(ends.at(-1))} />
    </span>
  );
}
