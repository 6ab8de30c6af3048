/** The call graph around a chunk: which chunk, how far, what is opened in it; and the graph itself from the engine. */
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Neighborhood } from '../../../shared/call-graph.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { focusPane } from '../../platform/panes.ts';
import { isCancelled, useApp } from '../../platform/state.ts';
import { select, useSearch } from '../search/index.ts';

export const DEPTHS = [1, 2, 3] as const;

interface NeighborsState {
  /** The chunk in the middle: the selected one, until another is selected from within the graph. */
  center: ChunkAddress | null;
  /** Where `back` leads, the latest last. */
  earlier: ChunkAddress[];
  depth: (typeof DEPTHS)[number];
  view: 'graph' | 'list';
  /** How many more neighbours than at first are shown, by group: see `graph.ts`. */
  opened: Readonly<Record<string, number>>;
}

export const useNeighbors = create<NeighborsState>(() => ({
  center: useSearch.getState().selected,
  earlier: [],
  depth: 1,
  view: 'graph',
  opened: {},
}));

const HISTORY = 50;
/** The selection that was made in the graph, which therefore stays as it is. */
let selectedHere: ChunkAddress | null = null;

/** Selects a neighbour everywhere; the graph stays where it is. */
export function selectNeighbor(address: ChunkAddress): void {
  selectedHere = address;
  select(address);
}

/** Puts a chunk in the middle, and selects it. */
export function centerOn(address: ChunkAddress): void {
  const { center, earlier } = useNeighbors.getState();
  if (center && center !== address) {
    useNeighbors.setState({ earlier: [...earlier, center].slice(-HISTORY) });
  }
  moveTo(address);
}

export function centerBack(): void {
  const { earlier } = useNeighbors.getState();
  const last = earlier.at(-1);
  if (!last) return;
  useNeighbors.setState({ earlier: earlier.slice(0, -1) });
  moveTo(last);
}

export function setDepth(depth: number): void {
  const near = Math.max(DEPTHS[0], Math.min(DEPTHS[2], depth)) as NeighborsState['depth'];
  useNeighbors.setState({ depth: near });
}

/** Shows the neighbours as a list, with the focus in it. */
export function showList(): void {
  useNeighbors.setState({ view: 'list' });
  requestAnimationFrame(() => focusPane('side'));
}

/** Shows `count` more of a group of neighbours. */
export function openGroup(group: string, count: number): void {
  const { opened } = useNeighbors.getState();
  useNeighbors.setState({ opened: { ...opened, [group]: (opened[group] ?? 0) + count } });
}

function moveTo(address: ChunkAddress): void {
  selectedHere = address;
  useNeighbors.setState({ center: address, opened: {} });
  select(address);
}

useSearch.subscribe(({ selected }) => {
  if (selected === selectedHere) return;
  selectedHere = null;
  if (selected !== useNeighbors.getState().center) {
    useNeighbors.setState({ center: selected, earlier: [], opened: {} });
  }
});

/** Chunks that are fetched at most; the nearest come first, and what is left out is counted. */
const LIMIT = 1500;

type Found =
  | { state: 'loading' }
  | { state: 'ready'; neighborhood: Neighborhood; depth: number; stale: boolean }
  | { state: 'failed'; failure: Failure };

/** The graph around the centre, fetched again when the index has changed. The one before stays until the next is there. */
export function useNeighborhood(): Found {
  const repository = useApp((state) => state.repository?.id);
  const edges = useApp((state) => state.status?.edges);
  const { center, depth } = useNeighbors();
  const [found, setFound] = useState<Found>({ state: 'loading' });
  const [version, setVersion] = useState(0);
  useEffect(() => engine.on('updated', () => setVersion((before) => before + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other edges and a new version are another graph
  useEffect(() => {
    if (!repository || !center) return;
    const controller = new AbortController();
    const { signal } = controller;
    const request = { chunk: center, depth, limit: LIMIT };
    engine.call('chunk.neighbors', { repository, request }, { signal }).then(
      (neighborhood) => {
        if (!signal.aborted) setFound({ state: 'ready', neighborhood, depth, stale: false });
      },
      (error) => {
        if (signal.aborted || isCancelled(error)) return;
        setFound({ state: 'failed', failure: error as Failure });
      },
    );
    return () => controller.abort();
  }, [repository, center, depth, edges, version]);
  return found.state === 'ready' && (found.neighborhood.center !== center || found.depth !== depth)
    ? { ...found, stale: true }
    : found;
}
