import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ImportedList } from '../../../shared/lists.ts';
import { MARK_TITLES } from '../../../shared/marks.ts';
import { showPanel } from '../../platform/panes.ts';
import { Source } from '../../ui/controls.tsx';
import { adjacentTo, PAGE, stepTo } from '../../ui/steps.ts';
import { select } from '../search/index.ts';
import { EntryChange } from './EntryChange.tsx';
import styles from './exchange.module.css';

type State = keyof ImportedList['counts'];
type Entry = ImportedList['entries'][number];

const STATES: Record<State, { title: string; says: string }> = {
  same: { title: 'Same', says: 'as it was' },
  moved: { title: 'Moved', says: 'the same code elsewhere' },
  changed: { title: 'Changed', says: 'another code at its place' },
  'moved and changed': { title: 'Moved and changed', says: 'its name elsewhere, with other code' },
  gone: { title: 'Gone', says: 'neither its code nor its name is here' },
};

/** Pixels at 100 %; rows grow with the zoom. */
const ROW_REM = 58 / 13;

/** Lists what became of each chunk. Enter or a double click shows one in the preview. */
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
    const to = stepTo(event.key, adjacentTo(active), entries.length, PAGE);
    if (event.key === 'Enter') choose(active);
    else if (to !== null) setActive(to);
    else return;
    event.preventDefault();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own */}
      <div role="group" aria-label="Only those that are" className={styles.counts}>
        {(Object.keys(STATES) as State[])
          .filter((state) => list.counts[state] > 0)
          .map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={only === state}
              title={STATES[state].says}
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
            {rows.getVirtualItems().map(({ index, start, size }) => {
              const entry = entries[index];
              return (
                entry && (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
                  <div
                    key={index}
                    id={`imported-${index}`}
                    role="option"
                    aria-selected={index === active}
                    aria-disabled={!entry.now}
                    aria-posinset={index + 1}
                    aria-setsize={entries.length}
                    className={styles.entry}
                    style={{ height: size, translate: `0 ${start}px` }}
                    onClick={() => setActive(index)}
                    onDoubleClick={() => choose(index)}
                  >
                    <Row entry={entry} />
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
            says={STATES[entries[active].state].says}
            onShow={() => choose(active)}
          />
        )}
      </div>
    </>
  );
}

function Row({ entry }: { entry: Entry }) {
  const { rank, was, now, state, mark, note, detail } = entry;
  const place = ({ path, startLine }: { path: string; startLine: number }) =>
    `${path}:${startLine}`;
  return (
    <>
      <span className={styles.rank}>{rank ?? '–'}</span>
      <span className={styles.entryName}>
        <Source text={was.kind === 'module' ? was.path : was.qualifiedName} />
        {mark && <span className={styles.mark}>{MARK_TITLES[mark]}</span>}
        {note && <Source className={styles.note} text={note} />}
      </span>
      <span className={styles.entryPlace}>
        <Source text={place(was)} />
        {now && place(now) !== place(was) && (
          <>
            {' → '}
            <Source text={place(now)} />
            {now.qualifiedName !== was.qualifiedName && (
              <>
                {' '}
                <Source text={now.qualifiedName} />
              </>
            )}
          </>
        )}
        {detail && <span title={detail}> · {detail}</span>}
      </span>
      <span className={styles.state} data-state={state}>
        {STATES[state].title}
      </span>
    </>
  );
}
