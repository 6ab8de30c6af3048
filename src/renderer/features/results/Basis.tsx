import { Popover } from 'radix-ui';
import { Suspense } from 'react';
import type { IndexingState } from '../../../shared/indexing.ts';
import { roundConfidence } from '../../../shared/search.ts';
import { describeUnindexed, describeUnsupported } from '../../../shared/unsupported.ts';
import { useApp } from '../../platform/state.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { CheckButton, useCheck } from '../check/index.ts';
import { getFailure, getResponse, useResponse, useSearch } from '../search/index.ts';
import styles from './basis.module.css';
import {
  describeHistory,
  describeLikely,
  describeRecognized,
  describeUnsupportedFiles,
} from './basis.ts';

/** Returns false while indexing goes on, which reads the history last. */
const isHistoryRead = (indexing: IndexingState | null): boolean =>
  indexing?.phase !== 'opening' && indexing?.phase !== 'indexing';

/** Shows the confidence in the list, its check and its basis above it. */
export function Basis() {
  const response = useResponse();
  const failure = useSearch(getFailure);
  const status = useApp((state) => state.status);
  const isIndexed = useApp((state) => isHistoryRead(state.indexing));
  if (!response || failure) return null;
  const unindexed = describeUnindexed(response.issue.unindexed);
  const facts: { text: string | null; title: string; isWarning?: true }[] = [
    {
      text: unindexed[0] ?? null,
      title: unindexed.join(' '),
      isWarning: true,
    },
    { text: describeLikely(response), title: 'Probability that the fix edits this repository' },
    { text: describeRecognized(response.issue), title: 'Recognized in the issue' },
    {
      text: status && describeHistory(status, isIndexed),
      title: 'Past commits used for the ranking',
    },
    {
      text: status && describeUnsupportedFiles(status),
      title: status ? describeUnsupported(status.unread, status.files) : '',
    },
  ];
  return (
    <section className={styles.basis} aria-label="About this list">
      <Confidence />
      <Suspense fallback={null}>
        <CheckButton />
      </Suspense>
      <p className={styles.facts}>
        {facts.map(
          ({ text, title, isWarning }) =>
            text && (
              <span key={title} title={title} className={styles.fact} data-warning={isWarning}>
                <Sentence text={text} />
              </span>
            ),
        )}
      </p>
    </section>
  );
}

/** Keeps the room of a confidence that follows when the list is final, so that the rows below do not move then. */
function ConfidenceRoom() {
  return (
    <span className={styles.trigger} style={{ visibility: 'hidden' }} aria-hidden="true">
      <span className={styles.meter} />
      50%: one of the first five
    </span>
  );
}

/** Shows the confidence in the first five results, unless it is unknown or the check reordered the list. */
function Confidence() {
  const confidence = useSearch((state) =>
    getFailure(state) ? null : getResponse(state)?.confidence,
  );
  const isExpected = useSearch((state) => getResponse(state)?.partial != null);
  const isReordered = useCheck(({ applied, outcome }) => applied && outcome !== null);
  if (isReordered) return null;
  if (confidence == null) return isExpected && <ConfidenceRoom />;
  const percent = roundConfidence(confidence);
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger}>
        <span className={styles.meter} aria-hidden="true">
          <span style={{ width: `${percent}%` }} />
        </span>
        {percent}%: one of the first five
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.explanation}
          aria-label="Confidence"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <p>
            The fix edits at least one of the first five results with a probability of about{' '}
            {percent}%.
          </p>
          <p>
            {percent < 50
              ? 'Add details to the issue: names, messages, a traceback or example code.'
              : 'Read the list from the top.'}
          </p>
          <p className="muted">
            Calibrated on issues with known fixes, from repositories that the ranker was not trained
            on. See docs/reference/figures.md for its accuracy. Not shown with filters or marks,
            which change the list.
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
