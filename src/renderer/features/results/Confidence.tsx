import { Popover } from 'radix-ui';
import { percentSure } from '../../../shared/search.ts';
import { failureOf, responseOf, useSearch } from '../search/index.ts';
import { useVerify } from '../verify/index.ts';
import styles from './confidence.module.css';

/** How sure the list is of its first five; nothing where nobody can say, or where a model reordered them. */
export function Confidence() {
  const confidence = useSearch((state) =>
    failureOf(state) ? null : responseOf(state)?.confidence,
  );
  const reordered = useVerify(({ applied, outcome }) => applied && outcome !== null);
  if (confidence == null || reordered) return null;
  const percent = percentSure(confidence);
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger}>
        <span className={styles.meter} aria-hidden="true">
          <span style={{ width: `${percent}%` }} />
        </span>
        about {percent}% sure
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.explained}
          aria-label="How sure the list is"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <p>
            With a probability of about {percent}%, at least one of the first five results is to be
            edited.
          </p>
          <p>
            {percent < 50
              ? 'More of the issue may help: names, messages, a traceback, code that shows it.'
              : 'The list may be worth reading from the top.'}
          </p>
          <p className={styles.origin}>
            Calibrated on issues of repositories that the ranker was not fitted on, whose fixes are
            known; docs/evaluation.md says how well it holds. Filters and marks change the list and
            take it away.
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
