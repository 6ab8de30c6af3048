import { Link2, TriangleAlert, X } from 'lucide-react';
import type { Failure } from '../../../shared/errors.ts';
import type { FetchedIssue, LinkOffer } from '../../../shared/issue-link.ts';
import { Button, IconButton, Source, Spinner } from '../../ui/controls.tsx';
import { counted, number } from '../../ui/counts.ts';
import {
  cancelFetch,
  commentsToo,
  declineLink,
  dismissFetched,
  fetchAlways,
  fetchLink,
  offerLink,
  useLink,
  useSearch,
} from '../search/index.ts';
import styles from './link.module.css';

/** Bar above the issue if its text is only an issue URL: offers to fetch the issue, and says what that sends. */
export function LinkBar() {
  const { text, offer, phase, failure, fetched } = useLink();
  const id = useSearch((state) => state.issue.id);
  if (text === null) return fetched?.issue === id && <Fetched {...fetched.what} />;
  if (failure) return <Failed failure={failure} canRetry={offer !== null} />;
  if (phase === 'fetching') return offer && <Fetching {...offer} />;
  if (phase === 'declined') return <Declined />;
  if (offer?.barred) return <Failed failure={offer.barred} canRetry={false} />;
  return offer && <Offer {...offer} />;
}

const describeRequest = ({ asks, token }: Pick<LinkOffer, 'asks' | 'token'>) =>
  `${asks}, ${token ? `with your token from ${token}` : 'without a token'}`;

function Offer({ what, host, asks, token, agreed }: LinkOffer) {
  const comments = useLink((state) => state.comments);
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          This is an issue URL. Fetch <Source text={what} /> from <Source text={host} />?
        </p>
        <p className={styles.detail}>
          The request goes to <Source text={describeRequest({ asks, token })} />.
        </p>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={comments}
            onChange={({ target }) => commentsToo(target.checked)}
          />
          Include comments
        </label>
        <div className={styles.buttons}>
          <Button look="primary" onClick={fetchLink}>
            {agreed ? 'Fetch' : 'Fetch once'}
          </Button>
          {!agreed && <Button onClick={fetchAlways}>Always fetch from this host</Button>}
          <Button onClick={declineLink}>Don’t fetch</Button>
        </div>
      </div>
    </section>
  );
}

function Fetching({ what, host }: LinkOffer) {
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Spinner />
      <p role="status" className={styles.text}>
        Fetching <Source text={what} /> from <Source text={host} />…
      </p>
      <Button onClick={cancelFetch}>Cancel</Button>
    </section>
  );
}

function Failed({
  failure: { message, remedy },
  canRetry,
}: {
  failure: Pick<Failure, 'message' | 'remedy'>;
  canRetry: boolean;
}) {
  return (
    <section className={styles.bar} aria-label="Issue URL" data-failed="true">
      <TriangleAlert size={16} />
      <div className={styles.text}>
        <p role="alert">
          Not fetched: <Source text={message} />
        </p>
        <p className={styles.detail}>
          <Source text={remedy} />
        </p>
      </div>
      {canRetry && <Button onClick={fetchLink}>Retry</Button>}
    </section>
  );
}

function Declined() {
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Link2 size={16} />
      <p role="status" className={styles.text}>
        This is an issue URL, and nothing was fetched. Paste the text of the issue.
      </p>
      <Button onClick={offerLink}>Fetch…</Button>
    </section>
  );
}

function Fetched({ asks, token, comments, text, notes }: FetchedIssue) {
  const parts = comments > 0 ? `title, body and ${counted(comments, 'comment')}` : 'title and body';
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          Fetched: {parts}, {number(text.length)} characters
        </p>
        <p className={styles.detail}>
          From <Source text={describeRequest({ asks, token })} />. You can edit it.
        </p>
        {notes.map((note) => (
          <p key={note} className={styles.detail}>
            <Source text={note} />
          </p>
        ))}
      </div>
      <IconButton label="Dismiss" onClick={dismissFetched}>
        <X size={15} />
      </IconButton>
    </section>
  );
}
