import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ImportedList, ImportedVerdict } from '../../../shared/lists.ts';
import { MARK_TITLES } from '../../../shared/marks.ts';
import { showPanel } from '../../platform/panes.ts';
import { SourceText } from '../../ui/controls.tsx';
import { getAdjacent, PAGE, resolveStep } from '../../ui/steps.ts';
import { select } from '../search/index.ts';
import { EntryChange } from './EntryChange.tsx';
import styles from './exchange.module.css';

type State = keyof ImportedList['counts'];
type Entry = ImportedList['entries'][number];

const STATES: Record<State, { title: string; description: string }> = {
  same: { title: 'Same', description: 'unchanged' },
  moved: { title: 'Moved', description: 'same code, other location' },
  changed: { title: 'Changed', description: 'same location, other code' },
  'moved and changed': {
    title: 'Moved and changed',
    description: 'same name, other location and code',
  },
  gone: { title: 'Gone', description: 'neither its code nor its name was found' },
};

/** Height in rem of a row whose location fits one line: 58 pixels at 100%. Others are measured. */
const ROW_REM = 58 / 13;

/** Lists the entries of an imported list with their states. Enter or a double click shows an entry in the preview. */
export function ImportedEntries({ list, onChoose }: { list: ImportedList; onChoose: () => void }) {
  const [only, setOnly] = useState<State | null>(null);
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const entries = only ? list.entries.filter(({ state }) => state === only) : list.entries;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_REM * rem,
    overscan: 8,
  });
  useEffect(() => rows.scrollToIndex(active), [active, rows]);
  useEffect(() => scroller.current?.focus(), []);

  const choose = (index: number) => {
    const now = entries[index]?.now;
    if (!now) return;
    select(now.address);
    showPanel('preview');
    onChoose();
  };
  const move = (event: KeyboardEvent) => {
    const to = resolveStep(event.key, getAdjacent(active), entries.length, PAGE);
    if (event.key === 'Enter') choose(active);
    else if (to !== null) setActive(to);
    else return;
    event.preventDefault();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a layout of its own */}
      <div role="group" aria-label="Filter by state" className={styles.counts}>
        {(Object.keys(STATES) as State[])
          .filter((state) => list.counts[state] > 0)
          .map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={only === state}
              title={STATES[state].description}
              data-state={state}
              onClick={() => {
                setOnly(only === state ? null : state);
                setActive(0);
              }}
            >
              {STATES[state].title} <b>{list.counts[state]}</b>
            </button>
          ))}
      </div>
      <div className={styles.sides}>
        <div
          ref={scroller}
          className={styles.entries}
          role="listbox"
          aria-label="Results of the list"
          aria-activedescendant={entries.length > 0 ? `imported-${active}` : undefined}
          tabIndex={0}
          data-autofocus
          onKeyDown={move}
        >
          <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const entry = entries[index];
              return (
                entry && (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
                  <div
                    key={index}
                    ref={rows.measureElement}
                    data-index={index}
                    id={`imported-${index}`}
                    role="option"
                    aria-selected={index === active}
                    aria-disabled={!entry.now}
                    aria-posinset={index + 1}
                    aria-setsize={entries.length}
                    className={styles.entry}
                    style={{ translate: `0 ${start}px` }}
                    onClick={() => setActive(index)}
                    onDoubleClick={() => choose(index)}
                  >
                    <EntryRow entry={entry} />
                  </div>
                )
              );
            })}
          </div>
        </div>
        {entries[active] && (
          <EntryChange
            key={entries[active].was.path + entries[active].was.qualifiedName + active}
            entry={entries[active]}
            description={STATES[entries[active].state].description}
            onShow={() => choose(active)}
          />
        )}
      </div>
    </>
  );
}

/** Shows that the fix edits an entry according to the model that checked the list, and the reason as plain text. */
function Verdict({
  verdict: { reason, rankBefore },
  rank,
}: {
  verdict: ImportedVerdict;
  rank: number | null;
}) {
  return (
    <span className={styles.verdict}>
      Check: {MARK_TITLES.edit}
      {rank !== rankBefore && `, rank ${rankBefore} before`}
      {reason && (
        <>
          : <SourceText text={reason} />
        </>
      )}
    </span>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { rank, was, now, state, mark, note, check, detail } = entry;
  const formatLocation = ({ path, startLine }: { path: string; startLine: number }) =>
    `${path}:${startLine}`;
  return (
    <>
      <span className={styles.rank}>{rank ?? '–'}</span>
      <span className={styles.entryName}>
        <SourceText text={was.kind === 'module' ? was.path : was.qualifiedName} />
        {mark && <span className={styles.mark}>{MARK_TITLES[mark]}</span>}
        {note && <SourceText className={styles.note} text={note} />}
      </span>
      <span className={styles.entryLocation}>
        <SourceText text={formatLocation(was)} />
        {now && formatLocation(now) !== formatLocation(was) && (
          <>
            {' → '}
            <SourceText text={formatLocation(now)} />
            {now.qualifiedName !== was.qualifiedName && (
              <>
                {' '}
                <SourceText text={now.qualifiedName} />
              </>
            )}
          </>
        )}
        {detail && ` · ${detail}`}
        {check?.edit && <Verdict verdict={check} rank={rank} />}
      </span>
      <span className={styles.state} data-state={state}>
        {STATES[state].title}
      </span>
    </>
  );
}
