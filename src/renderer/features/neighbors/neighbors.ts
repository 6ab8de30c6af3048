/** State of the neighbors panel, and requests for the call graph, similar functions and tests of its center. */
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
import { getCursorLine, registerViewState, visit } from '../preview/index.ts';
import { getCurrentSelected, getSelected, select, useSearch } from '../search/index.ts';

export const DEPTHS = [1, 2, 3] as const;

interface NeighborsState {
  /** Chunk in the center. It follows the selection, except for selections made in the panel itself. */
  center: ChunkAddress | null;
  /** Previous centers, the latest last. */
  previous: ChunkAddress[];
  depth: (typeof DEPTHS)[number];
  view: 'graph' | 'list' | 'similar' | 'tests';
  /** Number of neighbors shown beyond the initial ones, by group: see `graph.ts`. */
  expanded: Readonly<Record<string, number>>;
  /** Selection that was made in the panel. It does not move the center. */
  selectedHere: ChunkAddress | null;
}

export const useNeighbors = create<NeighborsState>(() => ({
  center: getCurrentSelected(),
  previous: [],
  depth: 1,
  view: 'graph',
  expanded: {},
  selectedHere: null,
}));

const MAX_PREVIOUS = 50;

/** Selects a neighbor without moving the center. */
export function selectNeighbor(address: ChunkAddress): void {
  useNeighbors.setState({ selectedHere: address });
  select(address);
}

/** Moves the center to a chunk, and selects it. */
export function centerOn(address: ChunkAddress): void {
  const { center, previous } = useNeighbors.getState();
  if (center && center !== address) {
    useNeighbors.setState({ previous: [...previous, center].slice(-MAX_PREVIOUS) });
  }
  visit(address, getCursorLine(), () => moveTo(address));
}

/** Moves the center back to the previous one. */
export function centerPrevious(): void {
  const { previous } = useNeighbors.getState();
  const last = previous.at(-1);
  if (!last) return;
  useNeighbors.setState({ previous: previous.slice(0, -1) });
  moveTo(last);
}

export function setDepth(depth: number): void {
  const allowed = Math.max(DEPTHS[0], Math.min(DEPTHS[2], depth)) as NeighborsState['depth'];
  useNeighbors.setState({ depth: allowed });
}

export function showList(): void {
  useNeighbors.setState({ view: 'list' });
  requestAnimationFrame(() => focusPane('side'));
}

export function expandGroup(group: string, count: number): void {
  const { expanded } = useNeighbors.getState();
  useNeighbors.setState({ expanded: { ...expanded, [group]: (expanded[group] ?? 0) + count } });
}

function moveTo(address: ChunkAddress): void {
  useNeighbors.setState({ center: address, expanded: {}, selectedHere: address });
  select(address);
}

/** Moves the center to chunks that are selected in other views. */
export const followSelection = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      const selected = getSelected(now);
      const { center, selectedHere } = useNeighbors.getState();
      if (selected === getSelected(before) || selected === selectedHere) return;
      useNeighbors.setState({
        selectedHere: null,
        ...(selected !== center && { center: selected, previous: [], expanded: {} }),
      });
    }),
    registerViewState(() => {
      const { center, previous, view } = useNeighbors.getState();
      return () => {
        useNeighbors.setState({
          center,
          previous,
          view,
          expanded: {},
          selectedHere: getCurrentSelected(),
        });
      };
    }),
  );

/** Limit of chunks to fetch. The nearest come first, and the engine counts the others. */
const MAX_NEIGHBORS = 1500;

export type CenterAnswer<Answer> =
  | { state: 'loading' }
  /** `stale`: true if the answer is to an earlier request. */
  | { state: 'ready'; answer: Answer; stale: boolean }
  | { state: 'failed'; failure: Failure };

/**
 * Requests an answer about the center from the engine, again whenever the index or one of `dependencies` changes. The
 * previous answer is returned until the next one arrives, as stale unless `isCurrent` accepts it.
 */
function useCenterAnswer<Answer>(
  request: (repository: string, center: ChunkAddress, signal: AbortSignal) => Promise<Answer>,
  dependencies: readonly unknown[],
  isCurrent: (answer: Answer, center: ChunkAddress | null) => boolean,
): CenterAnswer<Answer> {
  const repository = useApp((state) => state.repository?.id);
  const center = useNeighbors((state) => state.center);
  const [found, setFound] = useState<CenterAnswer<Answer>>({ state: 'loading' });
  const version = useIndexVersion();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the index or a dependency changes
  useEffect(() => {
    if (!repository || !center) return;
    const controller = new AbortController();
    const { signal } = controller;
    request(repository, center, signal).then(
      (answer) => {
        if (!signal.aborted) setFound({ state: 'ready', answer: answer, stale: false });
      },
      (error) => {
        if (signal.aborted || isCancelled(error)) return;
        setFound({ state: 'failed', failure: error as Failure });
      },
    );
    return () => controller.abort();
  }, [repository, center, version, ...dependencies]);
  return found.state === 'ready' && !isCurrent(found.answer, center)
    ? { ...found, stale: true }
    : found;
}

/** Returns the call graph around the center, with the depth that was requested. */
export function useNeighborhood(): CenterAnswer<{ neighborhood: Neighborhood; depth: number }> {
  const edges = useApp((state) => state.status?.edges);
  const depth = useNeighbors((state) => state.depth);
  return useCenterAnswer(
    async (repository, chunk, signal) => {
      const request = { chunk, depth, limit: MAX_NEIGHBORS };
      const call = engine.call('neighbors', { repository, request }, { signal });
      return { neighborhood: await call, depth };
    },
    [depth, edges],
    (answer, center) => answer.neighborhood.center === center && answer.depth === depth,
  );
}

const MAX_SIMILAR = 50;

export function useSimilar(): CenterAnswer<SimilarChunks> {
  const embedded = useApp((state) => state.status?.embedded);
  return useCenterAnswer(
    (repository, chunk, signal) => {
      const request = { chunk, limit: MAX_SIMILAR };
      return engine.call('similar', { repository, request }, { signal });
    },
    [embedded],
    (similar, center) => similar.center.address === center,
  );
}

const MAX_TESTS = 200;

export function useReachingTests(): CenterAnswer<ReachingTests> {
  const edges = useApp((state) => state.status?.edges);
  return useCenterAnswer(
    (repository, chunk, signal) =>
      engine.call('tests', { repository, request: { chunk, limit: MAX_TESTS } }, { signal }),
    [edges],
    (tests, center) => tests.of.address === center,
  );
}
