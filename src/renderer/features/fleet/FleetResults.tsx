import { Building2 } from 'lucide-react';
import type { FleetAnswer } from '../../../shared/fleet.ts';
import { Empty, Failed, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
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
            <Spinner /> Searching all repositories …
          </>
        )}
        {!searching && answer && <Basis answer={answer} />}
      </div>
      {failure && <Failed failure={failure} />}
      {!answer && !failure && !searching && (
        <Empty icon={<Building2 size={28} />} title="Which repository is it?">
          <p>
            The functions of all repositories that you may read are ranked for the issue. Open a
            result here for the better list of its repository.
          </p>
        </Empty>
      )}
      {answer && answer.results.length === 0 && (
        <Empty title="Nothing was found">
          <p>Say more of what happens, or see under Repositories what is indexed.</p>
        </Empty>
      )}
      {answer && answer.results.length > 0 && <FleetList answer={answer} onOpened={onOpened} />}
      {answer && result && (
        <OpenResult
          key={`${result.repository} ${result.ref} ${result.address}`}
          result={result}
          here={answer.here[result.repository] ?? null}
          onOpened={onOpened}
        />
      )}
    </>
  );
}

function Basis({ answer: { fleet, issue } }: { answer: FleetAnswer }) {
  const { searched, hidden } = fleet;
  return (
    <div>
      <p>
        {counted(searched, 'repository', 'repositories')} searched
        {hidden > 0 && `, ${hidden} that you may not read left out`}. Without past commits, the
        second step and how sure the list is: for these, open the repository.
      </p>
      {issue.notes.map((note) => (
        <p key={note} className="hint">
          <Sentence text={note} />
        </p>
      ))}
    </div>
  );
}
