/** The call graph around a chunk: which chunk, how far, what is opened in it; and the graph itself from the engine. */
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Neighborhood, ReachingTests } from '../../../shared/call-graph.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { SimilarChunks } from '../../../shared/similar.ts';
import { engine } from '../../platform/client.ts';
import { useIndexVersion } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { focusPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { cursorLine, keepView, step } from '../preview/index.ts';
import { select, selectedNow, selectedOf, useSearch } from '../search/index.ts';

export const DEPTHS = [1, 2, 3] as const;

interface NeighborsState {
  /** The chunk in the middle: the selected one, until another is selected from within the graph. */
  center: ChunkAddress | null;
  /** Where `back` leads, the latest last. */
  earlier: ChunkAddress[];
  depth: (typeof DEPTHS)[number];
  view: 'graph' | 'list' | 'similar' | 'tests';
  /** How many more neighbours than at first are shown, by group: see `graph.ts`. */
  opened: Readonly<Record<string, number>>;
  /** The selection that was made in the graph, which therefore stays as it is. */
  selectedHere: ChunkAddress | null;
}

export const useNeighbors = create<NeighborsState>(() => ({
  center: selectedNow(),
  earlier: [],
  depth: 1,
  view: 'graph',
  opened: {},
  selectedHere: null,
}));

const HISTORY = 50;

/** Selects a neighbour everywhere; the graph stays where it is. */
export function selectNeighbor(address: ChunkAddress): void {
  useNeighbors.setState({ selectedHere: address });
  select(address);
}

/** Puts a chunk in the middle, and selects it. */
export function centerOn(address: ChunkAddress): void {
  const { center, earlier } = useNeighbors.getState();
  if (center && center !== address) {
    useNeighbors.setState({ earlier: [...earlier, center].slice(-HISTORY) });
  }
  step(address, cursorLine(), () => moveTo(address));
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

export function showList(): void {
  useNeighbors.setState({ view: 'list' });
  requestAnimationFrame(() => focusPane('side'));
}

export function openGroup(group: string, count: number): void {
  const { opened } = useNeighbors.getState();
  useNeighbors.setState({ opened: { ...opened, [group]: (opened[group] ?? 0) + count } });
}

function moveTo(address: ChunkAddress): void {
  useNeighbors.setState({ center: address, opened: {}, selectedHere: address });
  select(address);
}

/** Puts what is selected elsewhere in the middle. */
export const followSelection = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      const selected = selectedOf(now);
      const { center, selectedHere } = useNeighbors.getState();
      if (selected === selectedOf(before) || selected === selectedHere) return;
      useNeighbors.setState({
        selectedHere: null,
        ...(selected !== center && { center: selected, earlier: [], opened: {} }),
      });
    }),
    keepView(() => {
      const { center, earlier, view } = useNeighbors.getState();
      return () => {
        useNeighbors.setState({ center, earlier, view, opened: {}, selectedHere: selectedNow() });
      };
    }),
  );

/** Chunks that are fetched at most; the nearest come first, and what is left out is counted. */
const LIMIT = 1500;

export type Found<Of> =
  | { state: 'loading' }
  | { state: 'ready'; of: Of; stale: boolean }
  | { state: 'failed'; failure: Failure };

/**
 * What the engine answers about the centre, asked again when one of these or the index has changed. The answer before stays,
 * stale where `isOf` says that it answers something else, until the next is there.
 */
function useAnswer<Of>(
  ask: (repository: string, center: ChunkAddress, signal: AbortSignal) => Promise<Of>,
  changing: readonly unknown[],
  isOf: (answer: Of, center: ChunkAddress | null) => boolean,
): Found<Of> {
  const repository = useApp((state) => state.repository?.id);
  const center = useNeighbors((state) => state.center);
  const [found, setFound] = useState<Found<Of>>({ state: 'loading' });
  const version = useIndexVersion();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is changing and a new version have another answer
  useEffect(() => {
    if (!repository || !center) return;
    const controller = new AbortController();
    const { signal } = controller;
    ask(repository, center, signal).then(
      (of) => {
        if (!signal.aborted) setFound({ state: 'ready', of, stale: false });
      },
      (error) => {
        if (signal.aborted || isCancelled(error)) return;
        setFound({ state: 'failed', failure: error as Failure });
      },
    );
    return () => controller.abort();
  }, [repository, center, version, ...changing]);
  return found.state === 'ready' && !isOf(found.of, center) ? { ...found, stale: true } : found;
}

/** The graph around the centre, and how many steps deep it was asked for. */
export function useNeighborhood(): Found<{ neighborhood: Neighborhood; depth: number }> {
  const edges = useApp((state) => state.status?.edges);
  const depth = useNeighbors((state) => state.depth);
  return useAnswer(
    async (repository, chunk, signal) => {
      const request = { chunk, depth, limit: LIMIT };
      const call = engine.call('neighbors', { repository, request }, { signal });
      return { neighborhood: await call, depth };
    },
    [depth, edges],
    (of, center) => of.neighborhood.center === center && of.depth === depth,
  );
}

const SIMILAR = 50;

export function useSimilar(): Found<SimilarChunks> {
  const embedded = useApp((state) => state.status?.embedded);
  return useAnswer(
    (repository, chunk, signal) => {
      const request = { chunk, limit: SIMILAR };
      return engine.call('similar', { repository, request }, { signal });
    },
    [embedded],
    (similar, center) => similar.center.address === center,
  );
}

const TESTS = 200;

export function useReachingTests(): Found<ReachingTests> {
  const edges = useApp((state) => state.status?.edges);
  return useAnswer(
    (repository, chunk, signal) =>
      engine.call('tests', { repository, request: { chunk, limit: TESTS } }, { signal }),
    [edges],
    (tests, center) => tests.of.address === center,
  );
}
