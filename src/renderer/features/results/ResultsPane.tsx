import {
  Files,
  FolderTree,
  Info,
  Link2,
  ListOrdered,
  ListRestart,
  SearchX,
  Tags,
  X,
} from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { MARK_TITLES, MARKS } from '../../../shared/marks.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Empty, Failed, IconButton, Keys, Pane, Spinner } from '../../ui/controls.tsx';
import { MARK_ICONS } from '../../ui/kinds.ts';
import { CheckBar } from '../check/index.ts';
import { InvestigateBar, InvestigateButton } from '../investigate/index.ts';
import {
  clearFilters,
  getFailure,
  isFiltered,
  isSearching,
  type SearchState,
  setListPointed,
  useFilters,
  useIssueUrl,
  useResponse,
  useSearch,
} from '../search/index.ts';
import { Basis } from './Basis.tsx';
import { EvidencePanel } from './EvidencePanel.tsx';
import { FilterBar } from './FilterBar.tsx';
import { MarkMenu } from './MarkMenu.tsx';
import { ResultList } from './ResultList.tsx';
import { ResultTree } from './ResultTree.tsx';
import styles from './results.module.css';
import { useSelection } from './selection.ts';
import { useRows } from './shown-rows.ts';

/** Toolbar for several selected results. */
function PickedBar() {
  const picked = useSelection((state) => state.picked);
  const count = useRows().chunks.filter(({ key }) => picked.has(key)).length;
  if (count < 2) return null;
  return (
    <div className={styles.picked} role="toolbar" aria-label="Selected results">
      <span className="grow" aria-live="polite">
        {count} selected
      </span>
      {MARKS.map((mark) => {
        const Icon = MARK_ICONS[mark];
        const id = `results.mark.${mark}`;
        return (
          <IconButton
            key={mark}
            label={MARK_TITLES[mark]}
            keys={getKeys(id)}
            onClick={() => runCommand(id)}
          >
            <Icon size={15} />
          </IconButton>
        );
      })}
      <IconButton label="Deselect others" onClick={() => runCommand('results.selectNone')}>
        <X size={15} />
      </IconButton>
    </div>
  );
}

const TOGGLES = [
  ['groupByFile', 'results.group', 'Group by file', Files],
  ['folderTree', 'results.tree', 'Folder tree', FolderTree],
  ['showEvidence', 'results.evidence', 'Evidence', Info],
] as const;

export function ResultsPane() {
  const response = useResponse();
  const searching = useSearch(isSearching);
  const failure = useSearch(getFailure);
  const { chunks } = useRows();
  const view = useFilters((state) => state.view);
  const settings = useApp((state) => state.settings);
  return (
    <Pane
      name="results"
      title="Where to edit"
      onPointerLeave={() => setListPointed(false)}
      detail={
        <span aria-live="polite">
          {response &&
            !failure &&
            view === 'ranked' &&
            describe(chunks.length, response.results.length, response.tookMs)}
        </span>
      }
      actions={
        <>
          {view === 'ranked' && <RerankedListReady />}
          {searching && <Spinner />}
          {response && <InvestigateButton />}
          {TOGGLES.map(([setting, command, label, Icon]) => (
            <IconButton
              key={command}
              label={label}
              keys={getKeys(command)}
              aria-pressed={settings?.[setting] ?? false}
              onClick={() => runCommand(command)}
            >
              <Icon size={15} />
            </IconButton>
          ))}
        </>
      }
    >
      <div
        className="full-column"
        onPointerEnter={() => setListPointed(true)}
        onPointerLeave={() => {
          // A new order waits on the way to its button in the header.
          if (!isOrderReady(useSearch.getState())) setListPointed(false);
        }}
      >
        {(response || view === 'marked') && <FilterBar />}
        <Suspense fallback={null}>
          {view === 'ranked' && <InvestigateBar />}
          {view === 'ranked' && <CheckBar />}
        </Suspense>
        {view === 'ranked' && <Basis />}
        <div className={styles.body}>
          <Body />
        </div>
        <PickedBar />
        {settings?.showEvidence && response && <EvidencePanel />}
      </div>
    </Pane>
  );
}

function Body(): ReactNode {
  const response = useResponse();
  const searching = useSearch(isSearching);
  const failure = useSearch(getFailure);
  const filters = useFilters();
  const tests = useApp((state) => state.settings?.tests);
  const tree = useApp((state) => state.settings?.folderTree);
  const { rows, chunks } = useRows();
  const list = (
    <MarkMenu>
      {tree && filters.view === 'ranked' ? (
        <ResultTree chunks={chunks} />
      ) : (
        <ResultList rows={rows} chunks={chunks} />
      )}
    </MarkMenu>
  );
  if (filters.view === 'marked') return chunks.length > 0 ? list : <NothingMarked />;
  if (failure) {
    return (
      <Failed failure={failure}>
        <Button onClick={() => runCommand('issue.search')}>Search again</Button>
      </Failed>
    );
  }
  if (!response) return searching ? <Loading /> : <Nothing />;
  if (chunks.length > 0) return list;
  const filtered = isFiltered(filters, tests);
  const title = response.partial ? 'No results yet' : 'No functions match this issue';
  return (
    <Empty icon={<SearchX size={28} />} title={filtered ? 'No results match the filters' : title}>
      {filtered ? (
        <Button onClick={clearFilters}>Clear filters</Button>
      ) : (
        <p>{response.partial ? response.partial.reason : response.issue.notes.join(' ')}</p>
      )}
    </Empty>
  );
}

function Nothing() {
  const isLink = useIssueUrl((state) => state.text !== null);
  if (isLink) {
    return (
      <Empty icon={<Link2 size={28} />} title="This is the URL of an issue">
        <p>Fetch the issue, or paste its text on the left.</p>
      </Empty>
    );
  }
  return (
    <Empty icon={<ListOrdered size={28} />} title="No issue yet">
      <p>
        Paste an issue on the left to see the functions to edit. The search starts when you stop
        typing, or with <Keys keys={getKeys('issue.search')} />.
      </p>
    </Empty>
  );
}

function NothingMarked() {
  const filtered = useFilters((state) => state.text.trim() !== '');
  return (
    <Empty
      icon={<Tags size={28} />}
      title={filtered ? 'No marked results match the filter' : 'No marked results yet'}
    >
      <p>
        In the ranking, press <Keys keys={getKeys('results.mark.edit')} /> to mark a result to edit,{' '}
        <Keys keys={getKeys('results.mark.read')} /> one worth reading,{' '}
        <Keys keys={getKeys('results.mark.irrelevant')} /> one that is not relevant, and{' '}
        <Keys keys={getKeys('results.note')} /> to write a note. Marks are saved with the issue and
        adjust its ranking.
      </p>
    </Empty>
  );
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Searching">
      {Array.from({ length: 9 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are equal
        <span key={at} style={{ opacity: 1 - at / 9 }} />
      ))}
    </div>
  );
}

function describe(shown: number, count: number, tookMs: number): string {
  const time = tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs);
  const number = shown < count ? `${shown} of ${count}` : `${count}`;
  return `${number} ${count === 1 ? 'result' : 'results'} in ${time} ms`;
}

const isOrderReady = ({ search }: SearchState): boolean => search.phase === 'ready';

/**
 * Button that applies the new order, if doing so at once would have moved rows while the user works with them. It is in
 * the header, where its appearance moves no rows.
 */
function RerankedListReady() {
  const ready = useSearch(isOrderReady);
  if (!ready) return null;
  return (
    <Button
      look="quiet"
      className={styles.applyReranked}
      aria-label="Apply new order"
      onClick={() => runCommand('results.reranked')}
    >
      <ListRestart size={14} aria-hidden="true" />
      <span className="ellipsis">New order</span>
    </Button>
  );
}
