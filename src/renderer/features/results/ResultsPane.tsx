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
import type { ReactNode } from 'react';
import { MARK_TITLES, MARKS } from '../../../shared/marks.ts';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Empty, Failed, IconButton, Keys, Pane, Spinner } from '../../ui/controls.tsx';
import { MARK_ICONS } from '../../ui/kinds.ts';
import {
  clearFilters,
  failureOf,
  isFiltered,
  isSearching,
  pointAtList,
  useFilters,
  useLink,
  useResponse,
  useSearch,
} from '../search/index.ts';
import { VerifyBar, VerifyButton } from '../verify/index.ts';
import { Basis } from './Basis.tsx';
import { EvidencePanel } from './EvidencePanel.tsx';
import { FilterBar } from './FilterBar.tsx';
import { MarkMenu } from './MarkMenu.tsx';
import { ResultList } from './ResultList.tsx';
import { ResultTree } from './ResultTree.tsx';
import styles from './results.module.css';
import { useSelection } from './selection.ts';
import { useRows } from './shown-rows.ts';

/** Actions on several picked chunks. */
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
            keys={keysOf(id)}
            onClick={() => runCommand(id)}
          >
            <Icon size={15} />
          </IconButton>
        );
      })}
      <IconButton
        label="Select only the current one"
        onClick={() => runCommand('results.selectNone')}
      >
        <X size={15} />
      </IconButton>
    </div>
  );
}

const TOGGLES = [
  ['groupByFile', 'results.group', 'Group by file', Files],
  ['folderTree', 'results.tree', 'Tree of folders', FolderTree],
  ['showEvidence', 'results.evidence', 'Why it is here', Info],
] as const;

export function ResultsPane() {
  const response = useResponse();
  const searching = useSearch(isSearching);
  const failure = useSearch(failureOf);
  const { chunks } = useRows();
  const view = useFilters((state) => state.view);
  const settings = useApp((state) => state.settings);
  return (
    <Pane
      name="results"
      title="Where to edit"
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
          {view === 'ranked' && <RefinedReady />}
          {searching && <Spinner />}
          {response && <VerifyButton />}
          {TOGGLES.map(([setting, command, label, Icon]) => (
            <IconButton
              key={command}
              label={label}
              keys={keysOf(command)}
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
        onPointerEnter={() => pointAtList(true)}
        onPointerLeave={() => pointAtList(false)}
      >
        {(response || view === 'marked') && <FilterBar />}
        {view === 'ranked' && <VerifyBar />}
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
  const failure = useSearch(failureOf);
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
  const nothing = response.partial ? 'Nothing is found yet' : 'Nothing fits this issue';
  return (
    <Empty icon={<SearchX size={28} />} title={filtered ? 'Nothing passes the filters' : nothing}>
      {filtered ? (
        <Button onClick={clearFilters}>Clear the filters</Button>
      ) : (
        <p>{response.partial ? response.partial.reason : response.issue.notes.join(' ')}</p>
      )}
    </Empty>
  );
}

function Nothing() {
  const isLink = useLink((state) => state.text !== null);
  if (isLink) {
    return (
      <Empty icon={<Link2 size={28} />} title="A link is not searched for">
        <p>Fetch the issue that it leads to, or paste its text on the left.</p>
      </Empty>
    );
  }
  return (
    <Empty icon={<ListOrdered size={28} />} title="The functions to edit will be listed here">
      <p>
        Paste an issue on the left. The search runs when you stop typing, or on{' '}
        <Keys keys={keysOf('issue.search')} />.
      </p>
    </Empty>
  );
}

function NothingMarked() {
  const filtered = useFilters((state) => state.text.trim() !== '');
  return (
    <Empty
      icon={<Tags size={28} />}
      title={filtered ? 'No marked result fits the filter' : 'Nothing is marked yet'}
    >
      <p>
        In the ranking, <Keys keys={keysOf('results.mark.edit')} /> marks a result to be edited,{' '}
        <Keys keys={keysOf('results.mark.read')} /> to be read for it,{' '}
        <Keys keys={keysOf('results.mark.irrelevant')} /> as not relevant, and{' '}
        <Keys keys={keysOf('results.note')} /> writes a note. Marks stay with the issue and refine
        its ranking.
      </p>
    </Empty>
  );
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Searching">
      {Array.from({ length: 9 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
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

/**
 * Puts the refined order in the place of the first one, where that would have moved rows under somebody's hands; it stands in the
 * header, where its coming moves no row either.
 */
function RefinedReady() {
  const ready = useSearch((state) => state.search.phase === 'ready');
  if (!ready) return null;
  return (
    <Button look="quiet" className={styles.refined} onClick={() => runCommand('results.refined')}>
      <ListRestart size={14} aria-hidden="true" />
      <span className="ellipsis">Refined order ready</span>
    </Button>
  );
}
