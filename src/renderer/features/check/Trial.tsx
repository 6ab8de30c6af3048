import { BadgeCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { approximateTokens, type CheckTrial } from '../../../shared/check.ts';
import type { Endpoint } from '../../../shared/check-endpoint.ts';
import { formatFailure } from '../../../shared/errors.ts';
import { formatCount } from '../../../shared/format-count.ts';
import { useAnswer } from '../../platform/answer.ts';
import { Button, Spinner } from '../../ui/controls.tsx';
import styles from './set-up.module.css';

interface Chosen {
  address: string;
  model: string;
  key: string | null;
}

interface Props {
  /** Null while it is incomplete. */
  chosen: Chosen | null;
  endpoint: Endpoint | null;
}

/** Asks a model about the sample, and says whether its answer is of use. */
export function Trial({ chosen, endpoint }: Props) {
  const [asked, setAsked] = useState<{ chosen: Chosen; times: number } | null>(null);
  const times = asked?.times ?? 0;
  // Another choice cancels the question.
  const isSame = asked !== null && JSON.stringify(asked.chosen) === JSON.stringify(chosen);
  const { answer, failure, isCurrent } = useAnswer('check.try', isSame ? asked.chosen : null, {
    again: times,
  });
  const isRunning = isSame && !isCurrent;
  const to = endpoint ? `, to ${endpoint.host}` : '';
  return (
    <div className={styles.trial}>
      <Button
        disabled={!chosen}
        onClick={() => setAsked(isRunning || !chosen ? null : { chosen, times: times + 1 })}
      >
        {isRunning ? 'Cancel test' : 'Test'}
      </Button>
      <div className={styles.trialText} role="status">
        {isRunning ? (
          <p className={styles.trialLine}>
            <Spinner /> Asking about the demo. A model that has to load first can take a minute.
          </p>
        ) : isSame && failure ? (
          <Bad text={formatFailure(failure)} />
        ) : isSame && answer ? (
          <Result trial={answer} />
        ) : (
          <p className="hint">Sends only invented code of the demo repository{to}.</p>
        )}
      </div>
    </div>
  );
}

function Result({ trial: { tookMs, rank, size, failure } }: { trial: CheckTrial }) {
  if (failure) return <Bad text={formatFailure(failure)} />;
  const cost = `${(tookMs / 1000).toFixed(1)} s, about ${formatCount(approximateTokens(size.request))} tokens sent and ${formatCount(approximateTokens(size.answer))} received.`;
  if (rank !== 1)
    return (
      <Bad
        text={`It answered, but put the right function at rank ${rank ?? 'unknown'}. A larger model may do better. ${cost}`}
      />
    );
  return (
    <p className={styles.trialLine} data-good>
      <BadgeCheck size={16} />
      <span>It works, and put the right function first. {cost}</span>
    </p>
  );
}

function Bad({ text }: { text: string }) {
  return (
    <p className={styles.trialLine}>
      <TriangleAlert size={16} />
      <span>{text}</span>
    </p>
  );
}
