import { ArrowLeft, MessageSquareShare } from 'lucide-react';
import { useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCount } from '../../../shared/format-count.ts';
import { MAX_POSTED, type PostOffer } from '../../../shared/post.ts';
import { escapeHiddenLines } from '../../../shared/quote.ts';
import { useAnswer } from '../../platform/answer.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import { useSearch } from '../search/index.ts';
import styles from './exchange.module.css';

const AFTER_TYPING_MS = 250;

/**
 * Returns the issue that the typed text names. Both `target` and `failure` are undefined until the engine answers.
 * @param attempt Number of posts so far. A ticket posts only once, so each attempt requests a new one.
 */
function useTarget(typed: string, attempt: number) {
  const repository = useApp((state) => state.repository?.id);
  const issue = typed.trim();
  const params = repository && issue !== '' ? { repository, issue } : null;
  const options = { afterMs: AFTER_TYPING_MS, again: attempt };
  const { answer, failure, isCurrent } = useAnswer('post.target', params, options);
  return isCurrent ? { target: answer, failure } : {};
}

type Posting =
  | { state: 'no' | 'busy' }
  | { state: 'done'; url: string }
  | { state: 'failed'; failure: Failure };

/** Posts exactly this text to the offered issue, and returns the outcome. */
async function post({ ticket }: PostOffer, text: string): Promise<Posting> {
  try {
    const { url } = await engine.call('post.run', { ticket, text });
    return { state: 'done', url };
  } catch (error) {
    return { state: 'failed', failure: error as Failure };
  }
}

/** Shows the complete text before it is posted, the target issue, and a button that posts it. */
export function PostPanel({ list, onBack }: { list: string; onBack: () => void }) {
  const source = useSearch((state) => state.issue.source);
  const [issue, setIssue] = useState(source?.url ?? '');
  const [posting, setPosting] = useState<Posting>({ state: 'no' });
  const [attempt, setAttempt] = useState(0);
  const { target, failure } = useTarget(issue, attempt);
  const text = escapeHiddenLines(list);
  const isTooLong = text.length > MAX_POSTED;
  const submit = async () => {
    if (!target || posting.state === 'busy') return;
    setPosting({ state: 'busy' });
    setPosting(await post(target, text));
    setAttempt(attempt + 1);
  };
  return (
    <div className={styles.export}>
      <form className={styles.options} onSubmit={(event) => event.preventDefault()}>
        <h3 id="post-issue">Post to issue</h3>
        <input
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that had the focus
          autoFocus
          className={`text-field ${styles.issue}`}
          aria-labelledby="post-issue"
          aria-describedby="post-hint"
          spellCheck={false}
          placeholder="owner/repo#123"
          value={issue}
          disabled={posting.state === 'busy' || posting.state === 'done'}
          onChange={({ target }) => {
            setIssue(target.value);
            setPosting({ state: 'no' });
          }}
        />
        <p id="post-hint" className="hint">
          owner/repo#123, #123 in this repository’s remote, or an issue URL on GitHub.
        </p>
        <p role="alert" className={styles.failure}>
          {failure && <SourceText text={formatFailure(failure)} />}
        </p>
        <h3>What happens</h3>
        <p className="hint">
          <code>gh</code> posts the text shown here as a comment in your name
          {target && (
            <>
              , on <SourceText text={target.host} />
            </>
          )}
          . The text leaves this machine, and everyone who can read the issue can read it.
        </p>
        {isTooLong && (
          <p role="status" className={styles.warning}>
            The text is too long: {formatCount(text.length)} characters, and a comment can have{' '}
            {formatCount(MAX_POSTED)}. Export fewer results, or leave out the code.
          </p>
        )}
      </form>
      <div className={styles.result}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className={styles.preview} aria-label="Text to post" tabIndex={0}>
          <pre dir="ltr">{text}</pre>
        </section>
        <div className={styles.actions}>
          <Outcome posting={posting} />
          <Button onClick={onBack}>
            <ArrowLeft size={14} />
            {posting.state === 'done' ? 'Back' : 'Cancel'}
          </Button>
          {posting.state !== 'done' && (
            <Button
              look="primary"
              disabled={!target || isTooLong || posting.state === 'busy'}
              onClick={submit}
            >
              <MessageSquareShare size={14} />
              {target ? (
                <span>
                  Post to <SourceText text={target.label} />
                </span>
              ) : (
                'Post'
              )}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function Outcome({ posting }: { posting: Posting }) {
  if (posting.state === 'failed') {
    return (
      <p role="alert" className={styles.failure}>
        <SourceText text={formatFailure(posting.failure)} />
      </p>
    );
  }
  return (
    <p role="status">
      {posting.state === 'busy' && (
        <>
          <Spinner /> Posting…
        </>
      )}
      {posting.state === 'done' && (
        <>
          Posted: <SourceText text={posting.url} />
        </>
      )}
    </p>
  );
}
