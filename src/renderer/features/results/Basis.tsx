import { namedUnreadText, unreadNote } from '../../../shared/unread.ts';
import { useApp } from '../../platform/state.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { failureOf, useResponse, useSearch } from '../search/index.ts';
import styles from './basis.module.css';
import { historyText, likelyText, namedText, unreadText } from './basis.ts';
import { Confidence } from './Confidence.tsx';

const NOT_LISTED =
  'Named in the issue, and in a language that Locus does not read: the list has nothing of it';

/** How sure the list is and what it rests on, in one line above it. */
export function Basis() {
  const response = useResponse();
  const failure = useSearch(failureOf);
  const status = useApp((state) => state.status);
  if (!response || failure) return null;
  const likely = likelyText(response);
  const unread = status && unreadText(status);
  const named = status && namedUnreadText(response.issue, status);
  const facts = [
    status && named && { text: named, title: NOT_LISTED, warns: true },
    likely && { text: likely, title: 'How likely each repository is the one to edit' },
    { text: namedText(response.issue), title: 'What was recognised in the issue' },
    status && { text: historyText(status), title: 'Past commits that the ranking knows' },
    status && unread && { text: unread, title: unreadNote(status.unread, status.files) },
  ];
  return (
    <section className={styles.basis} aria-label="What the list rests on">
      <Confidence />
      <p className={styles.facts}>
        {facts.flatMap((fact) =>
          fact ? (
            <span
              key={fact.title}
              title={fact.title}
              className={styles.fact}
              data-warns={('warns' in fact && fact.warns) || undefined}
            >
              <Sentence text={fact.text} />
            </span>
          ) : (
            []
          ),
        )}
      </p>
    </section>
  );
}
