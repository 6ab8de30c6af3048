import { ArrowLeft, MessageSquareShare } from 'lucide-react';
import { useState } from 'react';
import { MOST_POSTED } from '../../../shared/post.ts';
import { visibleLines } from '../../../shared/quoted.ts';
import { Button, Source, Spinner } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { useSearch } from '../search/index.ts';
import styles from './exchange.module.css';
import { type Posting, post, useTarget } from './post.ts';

/** A list before it leaves the machine: where it goes, all of what is posted, and the button that posts it. */
export function PostPanel({ list, onBack }: { list: string; onBack: () => void }) {
  const source = useSearch((state) => state.issue.source);
  const [issue, setIssue] = useState(source?.url ?? '');
  const [posting, setPosting] = useState<Posting>({ state: 'no' });
  const [attempt, setAttempt] = useState(0);
  const { target, failure } = useTarget(issue, attempt);
  const text = visibleLines(list);
  const isTooLong = text.length > MOST_POSTED;
  const submit = async () => {
    if (!target || posting.state === 'busy') return;
    setPosting({ state: 'busy' });
    setPosting(await post(target, text));
    setAttempt(attempt + 1);
  };
  return (
    <div className={styles.export}>
      <form className={styles.options} onSubmit={(event) => event.preventDefault()}>
        <h3 id="post-issue">Post to the issue</h3>
        <input
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus
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
          owner/repo#123, #123 of this repository’s remote, or an address on GitHub.
        </p>
        <p role="alert" className={styles.failure}>
          {failure && <Source text={`${failure.message}: ${failure.remedy}.`} />}
        </p>
        <h3>What happens</h3>
        <p className="hint">
          <code>gh</code> comments as you with the text shown here
          {target && (
            <>
              , on <Source text={target.host} />
            </>
          )}
          . It leaves this machine: whoever can read the issue can read it.
        </p>
        {isTooLong && (
          <p role="status" className={styles.warning}>
            These are {number(text.length)} characters, and a comment has {number(MOST_POSTED)} at
            most: export fewer results, or without their code.
          </p>
        )}
      </form>
      <div className={styles.result}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
        <section className={styles.preview} aria-label="What is posted" tabIndex={0}>
          <pre dir="ltr">{text}</pre>
        </section>
        <div className={styles.actions}>
          <Said posting={posting} />
          <Button onClick={onBack}>
            <ArrowLeft size={14} />
            {posting.state === 'done' ? 'Back' : 'Do not post'}
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
                  Post to <Source text={target.label} />
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

function Said({ posting }: { posting: Posting }) {
  if (posting.state === 'failed') {
    const { message, remedy } = posting.failure;
    return (
      <p role="alert" className={styles.failure}>
        <Source text={`${message}. To go on: ${remedy}.`} />
      </p>
    );
  }
  return (
    <p role="status">
      {posting.state === 'busy' && (
        <>
          <Spinner /> Posting …
        </>
      )}
      {posting.state === 'done' && (
        <>
          Posted: <Source text={posting.url} />
        </>
      )}
    </p>
  );
}
