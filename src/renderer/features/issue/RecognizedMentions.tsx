import { Info, X } from 'lucide-react';
import { formatCounted } from '../../../shared/format-count.ts';
import type { IssueReport } from '../../../shared/search.ts';
import { IconButton, Tooltip } from '../../ui/controls.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { useFileProblem } from './files.ts';
import styles from './issue.module.css';
import type { MentionKind } from './mentions.ts';
import { moveToMention } from './underlined-mentions.ts';

/** Counts below the issue of the names, paths and frames that the engine recognized, and notes about the issue. */
export function RecognizedMentions({ report }: { report: IssueReport | null }) {
  const problem = useFileProblem((state) => state.problem);
  if (!report && !problem) return null;
  const notes = [...(problem ? [problem] : []), ...(report?.notes ?? [])];
  const counts: [MentionKind, number, string][] = report
    ? [
        ['name', new Set(report.names.map(({ text }) => text)).size, 'name'],
        ['path', new Set(report.paths.map(({ text }) => text)).size, 'path'],
        ['frame', report.frames.length, 'frame'],
      ]
    : [];
  const found = counts.filter(([, count]) => count > 0);
  return (
    <div className={styles.recognized}>
      {found.length > 0 && (
        <div className={styles.counts}>
          {found.map(([kind, count, word]) => (
            <Tooltip key={kind} text={`Go to the next ${word}`}>
              <button
                type="button"
                className={styles.count}
                data-kind={kind}
                onClick={() => moveToMention(1, kind)}
              >
                {formatCounted(count, word)}
              </button>
            </Tooltip>
          ))}
          <span className={styles.hint}>recognized</span>
        </div>
      )}
      <div role="status">
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            <Info size={14} />
            <span>
              <Sentence text={note} />
            </span>
          </p>
        ))}
      </div>
      {problem && (
        <IconButton
          label="Dismiss"
          className={styles.dismiss}
          onClick={() => useFileProblem.setState({ problem: null })}
        >
          <X size={14} />
        </IconButton>
      )}
    </div>
  );
}
