import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert, ListOrdered, SearchX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { RankedChunk } from '../../../shared/types.ts';
import { keysOf } from '../../app/commands.ts';
import { focusPane } from '../../app/panes.ts';
import { Empty, Keys, Pane, Spinner } from '../../ui/controls.tsx';
import { sharesOf, totalOf } from './evidence.ts';
import { ResultRow } from './ResultRow.tsx';
import styles from './results.module.css';
import { select, useSearch } from './search.ts';

export function ResultsPane() {
  const { response, searching, failure } = useSearch();
  const results = response?.results;
  return (
    <Pane
      name="results"
      title="Where to edit"
      detail={
        <span aria-live="polite">
          {response && !failure && describe(response.results.length, response.tookMs)}
        </span>
      }
      actions={searching ? <Spinner /> : null}
    >
      {failure ? (
        <Empty icon={<CircleAlert size={28} />} title={failure.message}>
          <p>{failure.remedy}</p>
        </Empty>
      ) : !results ? (
        <Empty icon={<ListOrdered size={28} />} title="The functions to edit will be listed here">
          <p>
            Paste an issue on the left. The search runs when you stop typing, or on{' '}
            <Keys keys={keysOf('issue.search')} />.
          </p>
        </Empty>
      ) : results.length === 0 ? (
        <Empty icon={<SearchX size={28} />} title="Nothing fits this issue">
          <p>{response.partial ? response.partial.reason : response.issue.notes.join(' ')}</p>
        </Empty>
      ) : (
        <ResultList results={results} />
      )}
    </Pane>
  );
}

const describe = (count: number, tookMs: number) =>
  `${count} ${count === 1 ? 'result' : 'results'} in ${tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs)} ms`;

/** Pixels at 100 %; rows grow with the zoom. */
const ROW_REM = 46 / 13;

function ResultList({ results }: { results: RankedChunk[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useSearch((state) => state.selected);
  const index = results.findIndex(({ address }) => address === selected);
  const most = useMemo(
    () => Math.max(...results.map(({ evidence }) => totalOf(sharesOf(evidence))), 1e-9),
    [results],
  );
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rows = useVirtualizer({
    count: results.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_REM * rem,
    overscan: 8,
  });
  useEffect(() => {
    if (index >= 0) rows.scrollToIndex(index);
  }, [index, rows]);

  return (
    <div
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label="Ranked chunks"
      aria-activedescendant={index >= 0 ? `result-${index}` : undefined}
      tabIndex={0}
      data-pane-focus
      onKeyDown={(event) => moveByKey(event, results, index)}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index: at, start, size }) => (
          <ResultRow
            key={results[at].address}
            id={`result-${at}`}
            chunk={results[at]}
            count={results.length}
            most={most}
            selected={at === index}
            style={{ height: size, translate: `0 ${start}px` }}
          />
        ))}
      </div>
    </div>
  );
}

const PAGE = 10;

function moveByKey(event: KeyboardEvent, results: readonly RankedChunk[], index: number): void {
  const last = results.length - 1;
  const moves: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE,
    PageUp: index - PAGE,
    Home: 0,
    End: last,
  };
  if (event.key === 'Enter') focusPane('side');
  else if (event.key in moves) {
    select(results[Math.max(0, Math.min(last, moves[event.key]))].address);
  } else return;
  event.preventDefault();
}
