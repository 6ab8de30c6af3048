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

/** Above the issue when it is a link and nothing else: what fetching it takes, and whether to. */
export function LinkBar() {
  const { text, offer, phase, failure, fetched } = useLink();
  const id = useSearch((state) => state.issue.id);
  if (text === null) return fetched?.issue === id && <Fetched {...fetched.what} />;
  if (failure) return <Failed failure={failure} mayTryAgain={offer !== null} />;
  if (phase === 'fetching') return offer && <Fetching {...offer} />;
  if (phase === 'declined') return <Declined />;
  if (offer?.barred) return <Failed failure={offer.barred} mayTryAgain={false} />;
  return offer && <Offer {...offer} />;
}

const asked = ({ asks, token }: Pick<LinkOffer, 'asks' | 'token'>) =>
  `${asks}, ${token ? `with your token of ${token}` : 'without a token'}`;

function Offer({ what, host, asks, token, agreed }: LinkOffer) {
  const comments = useLink((state) => state.comments);
  return (
    <section className={styles.bar} aria-label="Link">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          This is a link. Fetch <Source text={what} /> from <Source text={host} />?
        </p>
        <p className={styles.detail}>
          It asks <Source text={asked({ asks, token })} />.
        </p>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={comments}
            onChange={({ target }) => commentsToo(target.checked)}
          />
          With its comments
        </label>
        <div className={styles.buttons}>
          <Button look="primary" onClick={fetchLink}>
            {agreed ? 'Fetch' : 'Fetch once'}
          </Button>
          {!agreed && <Button onClick={fetchAlways}>Always from this host</Button>}
          <Button onClick={declineLink}>No</Button>
        </div>
      </div>
    </section>
  );
}

function Fetching({ what, host }: LinkOffer) {
  return (
    <section className={styles.bar} aria-label="Link">
      <Spinner />
      <p role="status" className={styles.text}>
        Fetching <Source text={what} /> from <Source text={host} />
      </p>
      <Button onClick={cancelFetch}>Cancel</Button>
    </section>
  );
}

function Failed({
  failure: { message, remedy },
  mayTryAgain,
}: {
  failure: Pick<Failure, 'message' | 'remedy'>;
  mayTryAgain: boolean;
}) {
  return (
    <section className={styles.bar} aria-label="Link" data-failed="true">
      <TriangleAlert size={16} />
      <div className={styles.text}>
        <p role="alert">
          Not fetched: <Source text={message} />.
        </p>
        <p className={styles.detail}>
          To go on: <Source text={remedy} />.
        </p>
      </div>
      {mayTryAgain && <Button onClick={fetchLink}>Try again</Button>}
    </section>
  );
}

function Declined() {
  return (
    <section className={styles.bar} aria-label="Link">
      <Link2 size={16} />
      <p role="status" className={styles.text}>
        This is a link, and nothing was fetched. Paste the text of the issue.
      </p>
      <Button onClick={offerLink}>Fetch …</Button>
    </section>
  );
}

function Fetched({ asks, token, comments, text, notes }: FetchedIssue) {
  const parts = comments > 0 ? `title, body and ${counted(comments, 'comment')}` : 'title and body';
  return (
    <section className={styles.bar} aria-label="Link">
      <Link2 size={16} />
      <div className={styles.text}>
        <p role="status">
          Fetched: {parts}, {number(text.length)} characters
        </p>
        <p className={styles.detail}>
          From <Source text={asked({ asks, token })} />. Edit it as you like.
        </p>
        {notes.map((note) => (
          <p key={note} className={styles.detail}>
            <Source text={note} />
          </p>
        ))}
      </div>
      <IconButton label="Take this away" onClick={dismissFetched}>
        <X size={15} />
      </IconButton>
    </section>
  );
}
