import { Building2 } from 'lucide-react';
import type { FleetAnswer } from '../../../shared/fleet.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { Empty, Failed, Spinner } from '../../ui/controls.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { FleetList } from './FleetList.tsx';
import styles from './fleet.module.css';
import { useFleet } from './fleet.ts';
import { OpenResult } from './OpenResult.tsx';

export function FleetResults({ onOpened }: { onOpened: () => void }) {
  const { answer, failure, searching, active } = useFleet();
  const result = answer?.results[active];
  return (
    <>
      <div role="status" className={styles.state}>
        {searching && (
          <>
            <Spinner /> Searching all repositories…
          </>
        )}
        {!searching && answer && <Summary answer={answer} />}
      </div>
      {failure && <Failed failure={failure} />}
      {!answer && !failure && !searching && (
        <Empty icon={<Building2 size={28} />} title="Enter an issue to find its repository">
          <p>
            Locus ranks the functions of all repositories that you may read. Open a result to get a
            better list for its repository.
          </p>
        </Empty>
      )}
      {answer && answer.results.length === 0 && (
        <Empty title="No results">
          <p>Describe the issue in more detail, or see under Repositories what is indexed.</p>
        </Empty>
      )}
      {answer && answer.results.length > 0 && <FleetList answer={answer} onOpened={onOpened} />}
      {answer && result && (
        <OpenResult
          key={`${result.repository} ${result.ref} ${result.address}`}
          result={result}
          here={answer.localFolders[result.repository] ?? null}
          onOpened={onOpened}
        />
      )}
    </>
  );
}

function Summary({ answer: { fleet, issue } }: { answer: FleetAnswer }) {
  const { searched, hidden } = fleet;
  return (
    <div>
      <p>
        {formatCounted(searched, 'repository', 'repositories')} searched
        {hidden > 0 && `, ${hidden} left out that you may not read`}. This list uses no history and
        is not reranked. For both, and for the confidence of the list, open the repository.
      </p>
      {issue.notes.map((note) => (
        <p key={note} className="hint">
          <Sentence text={note} />
        </p>
      ))}
    </div>
  );
}
