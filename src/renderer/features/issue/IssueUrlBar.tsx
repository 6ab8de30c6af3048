import { Link2, TriangleAlert, X } from 'lucide-react';
import type { Failure } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import type { FetchedIssue, FetchOffer } from '../../../shared/issue-url.ts';
import { Button, IconButton, SourceText, Spinner } from '../../ui/controls.tsx';
import {
  cancelFetch,
  declineFetch,
  dismissFetched,
  fetchAlways,
  fetchIssue,
  requestOffer,
  setWithComments,
  useIssueUrl,
  useSearch,
} from '../search/index.ts';
import styles from './issue-url-bar.module.css';

/** Bar above the issue if its text is only an issue URL: offers to fetch the issue, and says what that sends. */
export function IssueUrlBar() {
  const { text, offer, phase, failure, fetched } = useIssueUrl();
  const id = useSearch((state) => state.issue.id);
  if (text === null) return fetched?.issue === id && <Fetched {...fetched.what} />;
  if (failure) return <Failed failure={failure} canRetry={offer !== null} />;
  if (phase === 'fetching') return offer && <Fetching {...offer} />;
  if (phase === 'declined') return <Declined />;
  if (offer?.refusal) return <Failed failure={offer.refusal} canRetry={false} />;
  return offer && <Offer {...offer} />;
}

const describeRequest = ({ apiHost, token }: Pick<FetchOffer, 'apiHost' | 'token'>) =>
  `${apiHost}, ${token ? `with your token from ${token}` : 'without a token'}`;

function Offer({ what, host, apiHost, token, agreed }: FetchOffer) {
  const comments = useIssueUrl((state) => state.comments);
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          This is an issue URL. Fetch <SourceText text={what} /> from <SourceText text={host} />?
        </p>
        <p className={styles.detail}>
          The request goes to <SourceText text={describeRequest({ apiHost, token })} />.
        </p>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={comments}
            onChange={({ target }) => setWithComments(target.checked)}
          />
          Include comments
        </label>
        <div className={styles.buttons}>
          <Button look="primary" onClick={fetchIssue}>
            {agreed ? 'Fetch' : 'Fetch once'}
          </Button>
          {!agreed && <Button onClick={fetchAlways}>Always fetch from this host</Button>}
          <Button onClick={declineFetch}>Don’t fetch</Button>
        </div>
      </div>
    </section>
  );
}

function Fetching({ what, host }: FetchOffer) {
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Spinner />
      <p role="status" className={styles.text}>
        Fetching <SourceText text={what} /> from <SourceText text={host} />…
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
          Not fetched: <SourceText text={message} />
        </p>
        <p className={styles.detail}>
          <SourceText text={remedy} />
        </p>
      </div>
      {canRetry && <Button onClick={fetchIssue}>Retry</Button>}
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
      <Button onClick={requestOffer}>Fetch…</Button>
    </section>
  );
}

function Fetched({ apiHost, token, comments, text, notes }: FetchedIssue) {
  const parts =
    comments > 0 ? `title, body and ${formatCounted(comments, 'comment')}` : 'title and body';
  return (
    <section className={styles.bar} aria-label="Issue URL">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          Fetched: {parts}, {formatCount(text.length)} characters
        </p>
        <p className={styles.detail}>
          From <SourceText text={describeRequest({ apiHost, token })} />. You can edit it.
        </p>
        {notes.map((note) => (
          <p key={note} className={styles.detail}>
            <SourceText text={note} />
          </p>
        ))}
      </div>
      <IconButton label="Dismiss" onClick={dismissFetched}>
        <X size={15} />
      </IconButton>
    </section>
  );
}
