import { GitCompare } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCounted } from '../../../shared/format-count.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { runCommand } from '../../platform/commands.ts';
import { focusPane, showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Empty, Failed, SourceText, Spinner } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import rows from '../../ui/rows.module.css';
import { select, useResponse, useSelected } from '../search/index.ts';
import styles from './compare.module.css';
import {
  type ComparedChunk,
  compareLists,
  compareWithSearch,
  getBaseSearch,
  getVersionTitle,
  type ListChange,
  listEarlierSearches,
  useCompare,
} from './compare.ts';

/** Shows how the list differs from an earlier search, or from the same search at another version. */
export default function ComparePanel() {
  const state = useCompare();
  const now = useResponse();
  const base = getBaseSearch(state);
  const before = state.version ? state.versionResults : (base?.results ?? null);
  return (
    <div className="full-column">
      <Choice />
      <div className="scroll-area" data-pane-focus tabIndex={-1}>
        {state.failure ? (
          <Failed failure={state.failure} />
        ) : now && before ? (
          <List before={before} after={now.results} />
        ) : state.version && now ? (
          <p className={styles.summary} role="status">
            <Spinner /> Searching {getVersionTitle(state.version)}…
          </p>
        ) : (
          <Empty icon={<GitCompare size={28} />} title="Nothing to compare with yet">
            <p>
              Edit the issue, change how tests are ranked, or search another version of the code.
            </p>
          </Empty>
        )}
      </div>
    </div>
  );
}

function Choice() {
  const state = useCompare();
  const { searches, version } = state;
  const isWorkspace = useApp(({ repository }) => repository?.members !== undefined);
  const base = getBaseSearch(state);
  const earlier = listEarlierSearches(searches).reverse();
  return (
    <div className={styles.choice}>
      <label className="muted" htmlFor="compare-with">
        Since
      </label>
      <select
        id="compare-with"
        className={styles.select}
        value={version ? 'version' : (base?.id ?? '')}
        disabled={earlier.length === 0 && !version}
        onChange={({ target }) => compareWithSearch(Number(target.value))}
      >
        {version && <option value="version">This issue, at {getVersionTitle(version)}</option>}
        {earlier.length === 0 && !version && <option value="">No earlier search</option>}
        {earlier.map(({ id, title, where, at }) => (
          <option key={id} value={id}>
            {formatTime(at)} · {title.slice(0, 60)} · {where}
          </option>
        ))}
      </select>
      {!isWorkspace && (
        <Button look="quiet" onClick={() => runCommand('results.compareVersion')}>
          Other version…
        </Button>
      )}
    </div>
  );
}

const formatTime = (at: number) =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const SECTIONS = [
  ['entered', 'Entered the first ten'],
  ['left', 'Left the first ten'],
  ['moved', 'Moved within the first ten'],
] as const;

function List({ before, after }: Record<'before' | 'after', readonly ComparedChunk[]>) {
  const changes = useMemo(() => compareLists(before, after), [before, after]);
  const [isExpanded, setExpanded] = useState(false);
  const { below, entered, left, moved, same } = changes;
  const isTopSame = SECTIONS.every(([key]) => changes[key].length === 0);
  return (
    <>
      <p className={styles.summary} role="status">
        {isTopSame && below.length === 0
          ? `Same order: ${formatCounted(same, 'result')}`
          : isTopSame
            ? 'First ten unchanged'
            : `First ten: ${entered.length} entered, ${left.length} left, ${moved.length} moved`}
      </p>
      {SECTIONS.map(([key, title]) => (
        <Section key={key} title={title} changes={changes[key]} />
      ))}
      {below.length > 0 && (
        <Button
          look="quiet"
          className={styles.more}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Hide' : 'Show'} {formatCounted(below.length, 'change')} below the first ten
        </Button>
      )}
      {isExpanded && <Section title="Below the first ten" changes={below} />}
    </>
  );
}

function Section({ title, changes }: { title: string; changes: readonly ListChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>
        {title} <span>{changes.length}</span>
      </h3>
      <ul className={styles.list}>
        {changes.map((change) => (
          <li key={change.chunk.address}>
            <ChangeRow change={change} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens the code of the selected result: on a second click on its row, or a second Enter. */
function openCode(): void {
  showPanel('preview');
  focusPane('side');
}

function ChangeRow({ change: { chunk, before, after } }: { change: ListChange }) {
  const isRise = (after ?? Infinity) < (before ?? Infinity);
  const selected = useSelected() === chunk.address;
  const Icon = KIND_ICONS[chunk.kind];
  return (
    <button
      type="button"
      className={`row-button ${styles.change}`}
      data-direction={isRise ? 'up' : 'down'}
      aria-pressed={selected}
      onClick={() => (selected ? openCode() : select(chunk.address))}
    >
      <span className={styles.ranks}>
        <span className="visually-hidden">Rank before: </span>
        {before ?? '–'}
        <span aria-hidden="true"> → </span>
        <span className="visually-hidden">, now: </span>
        <b>{after ?? '–'}</b>
      </span>
      <Icon size={14} aria-label={chunk.kind} className={rows.kind} />
      <SourceText text={getShownName(chunk)} className={styles.name} />
      <SourceText text={chunk.path} className={rows.path} />
    </button>
  );
}
