import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Failure, formatFailure, isCancelled } from '../../../shared/errors.ts';
import type { Blame, BlamedCommit, NoBlameReason } from '../../../shared/history.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { IconButton, SourceText } from '../../ui/controls.tsx';
import { formatAgo } from '../../ui/counts.ts';
import rows from '../../ui/rows.module.css';
import styles from './blame.module.css';
import { useCursorLine, usePreview } from './view.ts';

/** Time that the cursor rests on a line before git is started. */
const CURSOR_REST_MS = 250;

interface LineBlame {
  line: number;
  /** Null while git is running. */
  answer: Blame | { failure: Failure } | null;
}

/** Returns the blame of the cursor's line; null if no file is shown. */
function useBlame(): LineBlame | null {
  const repository = useApp((state) => state.repository?.id);
  const file = usePreview((state) => state.file);
  const line = useCursorLine();
  const [blame, setBlame] = useState<LineBlame | null>(null);
  useEffect(() => {
    if (!repository || !file || line === null) return setBlame(null);
    const controller = new AbortController();
    const { signal } = controller;
    setBlame({ line, answer: null });
    const request = { path: file.path, line };
    const timer = setTimeout(() => {
      engine.call('blame', { repository, request }, { signal }).then(
        (answer) => !signal.aborted && setBlame({ line, answer }),
        (failure: Failure) => {
          if (!signal.aborted && !isCancelled(failure)) setBlame({ line, answer: { failure } });
        },
      );
    }, CURSOR_REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [repository, file, line]);
  return blame;
}

const NO_BLAME_TEXTS: Record<NoBlameReason, string> = {
  'no-git': 'No git history',
  'not-committed': 'Not committed yet',
  rewritten: 'The file differs too much from the committed one',
};

/** Shows the last commit of the cursor's line below the code, with the whole commit message on demand. */
export function BlameBar() {
  const blame = useBlame();
  const [isExpanded, setExpanded] = useState(false);
  if (!blame) return null;
  const { line, answer } = blame;
  const commit = answer && 'commit' in answer ? answer.commit : null;
  return (
    <section className={styles.blame} aria-label="Blame">
      <div className={styles.first}>
        <span className={rows.number}>Line {line}</span>
        <div role="status" className={styles.what}>
          {commit ? <Commit commit={commit} /> : <Other answer={answer} />}
        </div>
        <IconButton
          label={isExpanded ? 'Hide message' : 'Show message'}
          aria-expanded={isExpanded}
          disabled={!commit}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? <ChevronDown size={15} /> : <ChevronUp size={15} />}
        </IconButton>
      </div>
      {isExpanded && commit && (
        <div className={styles.message}>
          <p>
            {commit.commit} · {new Date(commit.time * 1000).toLocaleString('en')}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0}>
            {commit.message.split('\n').map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
              <span key={at}>
                <SourceText text={text} />
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      )}
    </section>
  );
}

function Commit({ commit: { commit, author, time, message, cut } }: { commit: BlamedCommit }) {
  const [subject = ''] = message.split('\n', 1);
  return (
    <>
      <SourceText className={styles.author} text={author} />
      <span className={rows.number}>
        {formatAgo(time * 1000)}
        {cut && ' or earlier (shallow clone)'}
      </span>
      <SourceText className="grow ellipsis" text={subject} />
      <code className={styles.short}>{commit.slice(0, 8)}</code>
    </>
  );
}

function Other({ answer }: { answer: LineBlame['answer'] }) {
  if (!answer) return <span className={rows.number}>…</span>;
  if ('failure' in answer) {
    const { message, remedy } = answer.failure;
    return <SourceText className="grow ellipsis" text={formatFailure({ message, remedy })} />;
  }
  return answer.commit ? null : <span className={rows.number}>{NO_BLAME_TEXTS[answer.why]}</span>;
}
