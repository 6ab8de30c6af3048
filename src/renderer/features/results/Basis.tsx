import { Popover } from 'radix-ui';
import { percentSure } from '../../../shared/search.ts';
import { namedUnreadText, unreadNote } from '../../../shared/unread.ts';
import { useApp } from '../../platform/state.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { failureOf, responseOf, useResponse, useSearch } from '../search/index.ts';
import { useVerify } from '../verify/index.ts';
import styles from './basis.module.css';
import { historyText, likelyText, namedText, unreadText } from './basis.ts';

const NOT_LISTED =
  'Named in the issue, and in a language that Locus does not read: the list has nothing of it';

/** How sure the list is and what it rests on, in one line above it. */
export function Basis() {
  const response = useResponse();
  const failure = useSearch(failureOf);
  const status = useApp((state) => state.status);
  if (!response || failure) return null;
  const facts: { text: string | null; title: string; warns?: true }[] = [
    { text: status && namedUnreadText(response.issue, status), title: NOT_LISTED, warns: true },
    { text: likelyText(response), title: 'How likely each repository is the one to edit' },
    { text: namedText(response.issue), title: 'What was recognised in the issue' },
    { text: status && historyText(status), title: 'Past commits that the ranking knows' },
    {
      text: status && unreadText(status),
      title: status ? unreadNote(status.unread, status.files) : '',
    },
  ];
  return (
    <section className={styles.basis} aria-label="What the list rests on">
      <Confidence />
      <p className={styles.facts}>
        {facts.map(
          ({ text, title, warns }) =>
            text && (
              <span key={title} title={title} className={styles.fact} data-warns={warns}>
                <Sentence text={text} />
              </span>
            ),
        )}
      </p>
    </section>
  );
}

/** Confidence in the first five. Empty if it is unknown, or if a model reordered them. */
function Confidence() {
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
          <p className="muted">
            Calibrated on issues of repositories that the ranker was not fitted on, whose fixes are
            known; docs/evaluation.md says how well it holds. Filters and marks change the list and
            take it away.
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
