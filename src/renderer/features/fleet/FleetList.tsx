import { HardDrive } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { MAX_ROW_REASONS, pickReasons } from '../../../shared/evidence.ts';
import type { FleetAnswer, FleetResult } from '../../../shared/fleet.ts';
import { SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { getAdjacent, PAGE, resolveStep } from '../../ui/steps.ts';
import styles from './fleet.module.css';
import { openInFolder, useFleet } from './fleet.ts';

/** Reasons shown for each result. */

/** Lists the ranked functions. Enter or a double click opens a result whose repository is on this machine. */
export function FleetList({
  answer: { results, localFolders },
  onOpened,
}: {
  answer: FleetAnswer;
  onOpened: () => void;
}) {
  const active = useFleet((state) => state.active);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  // A new list takes the focus, so that the arrow keys work at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the results change
  useEffect(() => list.current?.focus(), [results]);
  const activate = (at: number) => useFleet.setState({ active: at });
  const open = (result: FleetResult | undefined) => {
    const root = result && localFolders[result.repository];
    if (!result || !root) return;
    onOpened();
    openInFolder(result, root);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = resolveStep(event.key, getAdjacent(active), results.length, PAGE);
    if (event.key === 'Enter') open(results[active]);
    else if (to !== null) activate(to);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={list}
      className={styles.list}
      role="listbox"
      aria-label="Results of all repositories"
      aria-activedescendant={`fleet-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {results.map((result, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
        <div
          key={`${result.repository} ${result.ref} ${result.address}`}
          id={`fleet-${at}`}
          role="option"
          aria-selected={at === active}
          aria-describedby={`fleet-${at}-why`}
          className={styles.row}
          data-name={result.qualifiedName}
          onClick={() => activate(at)}
          onDoubleClick={() => open(result)}
        >
          <ResultRow
            result={result}
            isHere={localFolders[result.repository] !== undefined}
            id={`fleet-${at}`}
          />
        </div>
      ))}
    </div>
  );
}

function ResultRow({ result, isHere, id }: { result: FleetResult; isHere: boolean; id: string }) {
  const { rank, kind, role, qualifiedName, path, startLine, repository, ref, commit } = result;
  const Icon = KIND_ICONS[kind];
  return (
    <>
      <span className={styles.rank}>{rank}</span>
      <span className={styles.kind}>
        <Icon size={15} aria-label={kind} />
      </span>
      <span className={styles.name}>
        <SourceText text={kind === 'module' ? path : qualifiedName} />
        {role !== 'source' && <span className={styles.tag}>{role}</span>}
      </span>
      <span className={styles.repository}>
        <SourceText text={repository} />
        <span className={styles.commit}>
          {ref !== null && (
            <>
              {' '}
              <SourceText text={ref} />
            </>
          )}{' '}
          @ {commit.slice(0, 10)}
        </span>
        {isHere && (
          <span className={styles.here}>
            <HardDrive size={12} /> on this machine
          </span>
        )}
      </span>
      <span className={styles.path}>
        <SourceText text={`${path}:${startLine}`} />
      </span>
      <span id={`${id}-why`} className={styles.why} aria-hidden="true">
        {pickReasons(result.evidence, MAX_ROW_REASONS).map((reason, at) => (
          <span key={reason.signal}>
            {at > 0 && ' · '}
            <Sentence text={reason.sentence} />
          </span>
        ))}
      </span>
    </>
  );
}
