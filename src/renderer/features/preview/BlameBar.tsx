import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { Blame, BlamedCommit, Unblamed } from '../../../shared/history.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { IconButton, Source } from '../../ui/controls.tsx';
import { ago } from '../../ui/counts.ts';
import rows from '../../ui/rows.module.css';
import styles from './blame.module.css';
import { useCursorLine, usePreview } from './view.ts';

/** Milliseconds: git is not started for lines that the cursor passes. */
const REST_MS = 250;

interface LineBlame {
  line: number;
  /** Null while git is asked. */
  answer: Blame | { failure: Failure } | null;
}

/** Null while no file is shown. */
function useBlame(): LineBlame | null {
  const repository = useApp((state) => state.repository?.id);
  const file = usePreview((state) => state.file);
  const line = useCursorLine();
  const [known, setKnown] = useState<LineBlame | null>(null);
  useEffect(() => {
    if (!repository || !file || line === null) return setKnown(null);
    const controller = new AbortController();
    const { signal } = controller;
    setKnown({ line, answer: null });
    const request = { path: file.path, line };
    const timer = setTimeout(() => {
      engine.call('blame', { repository, request }, { signal }).then(
        (answer) => !signal.aborted && setKnown({ line, answer }),
        (failure: Failure) => {
          if (!signal.aborted && !isCancelled(failure)) setKnown({ line, answer: { failure } });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [repository, file, line]);
  return known;
}

const WHY: Record<Unblamed, string> = {
  'no-git': 'There is no git history here.',
  'not-committed': 'It is not committed yet.',
  rewritten: 'The file is not like the committed one.',
};

/** Below the code: the commit that the line of the cursor is from, and on demand all that it says. */
export function BlameBar() {
  const blame = useBlame();
  const [whole, setWhole] = useState(false);
  if (!blame) return null;
  const { line, answer } = blame;
  const commit = answer && 'commit' in answer ? answer.commit : null;
  return (
    <section className={styles.blame} aria-label="Who changed the line">
      <div className={styles.first}>
        <span className={rows.number}>Line {line}</span>
        <div role="status" className={styles.what}>
          {commit ? <Commit commit={commit} /> : <Other answer={answer} />}
        </div>
        <IconButton
          label={whole ? 'Less of the message' : 'The whole message'}
          aria-expanded={whole}
          disabled={!commit}
          onClick={() => setWhole(!whole)}
        >
          {whole ? <ChevronDown size={15} /> : <ChevronUp size={15} />}
        </IconButton>
      </div>
      {whole && commit && (
        <div className={styles.message}>
          <p>
            {commit.commit} · {new Date(commit.time * 1000).toLocaleString('en')}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <pre tabIndex={0}>
            {commit.message.split('\n').map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
              <span key={at}>
                <Source text={text} />
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
      <Source className={styles.author} text={author} />
      <span className={rows.number}>
        {ago(time * 1000)}
        {cut && ' or before, where the clone ends'}
      </span>
      <Source className="grow ellipsis" text={subject} />
      <code className={styles.short}>{commit.slice(0, 8)}</code>
    </>
  );
}

function Other({ answer }: { answer: LineBlame['answer'] }) {
  if (!answer) return <span className={rows.number}>…</span>;
  if ('failure' in answer) {
    const { message, remedy } = answer.failure;
    return <Source className="grow ellipsis" text={`${message}. ${remedy}`} />;
  }
  return answer.commit ? null : <span className={rows.number}>{WHY[answer.why]}</span>;
}
