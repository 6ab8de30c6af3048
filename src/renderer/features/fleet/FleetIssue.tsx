import { Search, Send } from 'lucide-react';
import type { FleetLocation } from '../../../shared/fleet.ts';
import { isIssueUrl } from '../../../shared/issue-url.ts';
import { getKeyLabels } from '../../platform/keys.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import styles from './fleet.module.css';
import { cancelFleetSearch, canSearch, searchAllRepositories, useFleet } from './fleet.ts';

export function FleetIssue({ places, onSearch }: { places: FleetLocation; onSearch: () => void }) {
  const { issue, searching } = useFleet();
  const search = () => {
    onSearch();
    searchAllRepositories();
  };
  return (
    <form
      className={styles.issue}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <label htmlFor="fleet-issue">Issue</label>
      <textarea
        id="fleet-issue"
        data-autofocus
        aria-describedby="fleet-sent"
        placeholder="Title, description, traceback…"
        spellCheck={false}
        value={issue}
        onChange={({ target }) => useFleet.setState({ issue: target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          search();
        }}
      />
      {isIssueUrl(issue) && (
        <p role="status" className={styles.warning}>
          An issue URL has no words to search for. Paste the text of the issue, or open a repository
          and fetch the issue there.
        </p>
      )}
      <p id="fleet-sent" className={styles.sent}>
        <Send size={13} />
        <span>
          A search sends words and names from the issue, and its embedding, to Milvus at{' '}
          <SourceText text={places.engine} className={styles.address} />
          {places.isLocal ? ', on this machine' : ''}. Locus reads the list of repositories from{' '}
          <SourceText text={places.objects} className={styles.address} />, and asks their hosts,
          with your credentials, which of them you may read.
        </span>
      </p>
      {searching ? (
        <Button onClick={cancelFleetSearch}>
          <Spinner /> Cancel
        </Button>
      ) : (
        <Button look="primary" type="submit" disabled={!canSearch(issue)}>
          <Search size={14} />
          Search all repositories
          <span className={styles.shortcut} aria-hidden="true">
            {getKeyLabels('$mod+Enter').join(' ')}
          </span>
        </Button>
      )}
    </form>
  );
}
