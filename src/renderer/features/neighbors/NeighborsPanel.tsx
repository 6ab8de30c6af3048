import { ArrowLeft, FlaskConical, ListTree, Rows3, Share2, Waypoints } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import type { Neighborhood } from '../../../shared/call-graph.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { Empty, Failed, IconButton, Spinner } from '../../ui/controls.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { getResponse, useSearch } from '../search/index.ts';
import { SimilarList, TestList } from './ChunkLists.tsx';
import type { RankByAddress } from './graph.ts';
import { NeighborTree } from './NeighborTree.tsx';
import styles from './neighbors.module.css';
import { DEPTHS, setDepth, useNeighborhood, useNeighbors } from './neighbors.ts';

// Loaded on demand: the graph and its layout take 80 kB, and the list doesn't need them.
const NeighborGraph = lazy(() => import('./NeighborGraph.tsx'));

/** Shows the call graph around the selected chunk as a graph or a list, similar functions, and tests that reach it. */
export default function NeighborsPanel() {
  const center = useNeighbors((state) => state.center);
  const view = useNeighbors((state) => state.view);
  const rankOf = useRanks();
  if (!center) {
    return (
      <Empty
        icon={<Waypoints size={28} />}
        title="Select a function to see its callers and callees"
      />
    );
  }
  if (view === 'similar' || view === 'tests') {
    return (
      <div className="full-column">
        <Toolbar neighborhood={null} />
        {view === 'similar' ? <SimilarList rankOf={rankOf} /> : <TestList rankOf={rankOf} />}
      </div>
    );
  }
  return <Calls view={view} rankOf={rankOf} />;
}

function Calls({ view, rankOf }: { view: 'graph' | 'list'; rankOf: RankByAddress }) {
  const found = useNeighborhood();
  if (found.state === 'failed') return <Failed failure={found.failure} />;
  const ready = found.state === 'ready' ? found : null;
  return (
    <div className="full-column">
      <Toolbar neighborhood={ready?.answer.neighborhood ?? null} />
      <div className={styles.view} aria-busy={!ready || ready.stale}>
        {!ready ? (
          <Empty title="Following calls…">
            <Spinner />
          </Empty>
        ) : view === 'list' ? (
          <NeighborTree neighborhood={ready.answer.neighborhood} rankOf={rankOf} />
        ) : (
          <Suspense fallback={null}>
            <NeighborGraph
              neighborhood={ready.answer.neighborhood}
              rankOf={rankOf}
              frame={`${ready.answer.depth} ${ready.answer.neighborhood.center}`}
            />
          </Suspense>
        )}
      </div>
      {ready?.answer.neighborhood.note && (
        <p className={styles.missing}>
          <Sentence text={ready.answer.neighborhood.note} />
        </p>
      )}
    </div>
  );
}

const VIEWS = [
  ['graph', 'Graph', Share2],
  ['list', 'List', ListTree],
  ['similar', 'Similar', Rows3],
  ['tests', 'Tests', FlaskConical],
] as const;

function Toolbar({ neighborhood }: { neighborhood: Neighborhood | null }) {
  const { depth, view, previous } = useNeighbors();
  return (
    <div className={styles.toolbar}>
      <IconButton
        label="Back to previous function"
        keys={getKeys('neighbors.back')}
        disabled={previous.length === 0}
        onClick={() => runCommand('neighbors.back')}
      >
        <ArrowLeft size={15} aria-hidden="true" />
      </IconButton>
      <span className="grow ellipsis muted" aria-live="polite">
        {neighborhood && describe(neighborhood)}
      </span>
      <fieldset className={styles.choice} hidden={view === 'similar' || view === 'tests'}>
        <legend className="visually-hidden">Steps from the selected function</legend>
        <span aria-hidden="true">Steps</span>
        {DEPTHS.map((steps) => (
          <button
            key={steps}
            type="button"
            aria-pressed={depth === steps}
            aria-label={formatCounted(steps, 'step')}
            onClick={() => setDepth(steps)}
          >
            {steps}
          </button>
        ))}
      </fieldset>
      <fieldset className={styles.choice}>
        <legend className="visually-hidden">View</legend>
        {VIEWS.map(([name, title, Icon]) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            onClick={() => useNeighbors.setState({ view: name })}
          >
            <Icon size={13} aria-hidden="true" />
            {title}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function describe({ nodes }: Neighborhood): string {
  const callers = nodes.filter(({ distance }) => distance < 0).length;
  const callees = nodes.filter(({ distance }) => distance > 0).length;
  const hidden = nodes.reduce((sum, node) => sum + node.hidden, 0);
  const rest = hidden > 0 ? `, ${formatCounted(hidden, 'more', 'more')} not shown` : '';
  return `${formatCounted(callers, 'caller')} · ${formatCounted(callees, 'callee')}${rest}`;
}

function useRanks(): RankByAddress {
  const results = useSearch((state) => getResponse(state)?.results);
  return useMemo(
    () => new Map((results ?? []).map(({ address, rank }) => [address, rank])),
    [results],
  );
}
