/** Calls of a chunk, which become links to their callees. */

import { useEffect, useState } from 'react';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge } from '../../../shared/call-graph.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';

const cached = new RecentMap<Promise<readonly CallEdge[]>>(100);

/** Returns the edges from a chunk to its callees; empty if the chunk no longer exists. */
export function loadCallees(
  repository: string,
  address: ChunkAddress,
): Promise<readonly CallEdge[]> {
  const key = `${repository} ${address}`;
  const callees =
    cached.get(key) ??
    engine.call('show', { repository, request: { chunk: address } }).then(
      ({ callees }) => callees,
      () => [],
    );
  cached.set(key, callees);
  return callees;
}

export const followCalls = (): Stop =>
  stopAll(
    // An edit of one file can change the callees of another.
    onIndexChange(() => cached.clear()),
    engine.on('indexing', ({ state }) => {
      if (state.phase !== 'current') cached.clear();
    }),
    // The engine does not report changes of a repository that is not open.
    onRepositoryChange(() => cached.clear()),
  );

const NONE: readonly CallEdge[] = [];

/** Returns the callees of a chunk for a view; empty until they are loaded. */
export function useCallees(address: ChunkAddress | null): readonly CallEdge[] {
  const repository = useApp((state) => state.repository?.id);
  const phase = useApp((state) => state.indexing?.phase);
  const [callees, setCallees] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph changes with indexing
  useEffect(() => {
    setCallees(NONE);
    if (!repository || !address) return;
    let isCurrent = true;
    loadCallees(repository, address).then((found) => isCurrent && setCallees(found));
    return () => {
      isCurrent = false;
    };
  }, [repository, address, phase]);
  return callees;
}
