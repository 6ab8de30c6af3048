/** Calls in the code, as links to what they call. */
import { LRUCache } from 'lru-cache';
import { useEffect, useState } from 'react';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge } from '../../../shared/call-graph.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';

const asked = new LRUCache<string, Promise<readonly CallEdge[]>>({ max: 100 });

/** The edges from a chunk to what it calls; none when the engine does not know the chunk any more. */
export function calleesOf(repository: string, address: ChunkAddress): Promise<readonly CallEdge[]> {
  const key = `${repository} ${address}`;
  const callees =
    asked.get(key) ??
    engine.call('show', { repository, request: { chunk: address } }).then(
      ({ callees }) => callees,
      () => [],
    );
  asked.set(key, callees);
  return callees;
}

export const followCalls = (): Stop =>
  stopAll(
    // An edit of one file can change where the calls of another one lead.
    onIndexChange(() => asked.clear()),
    engine.on('indexing', ({ state }) => {
      if (state.phase !== 'current') asked.clear();
    }),
    // The engine does not report changes of a repository that is not open.
    onRepositoryChange(() => asked.clear()),
  );

const NONE: readonly CallEdge[] = [];

/** The same for a view; empty until they are known. */
export function useCallees(address: ChunkAddress | null): readonly CallEdge[] {
  const repository = useApp((state) => state.repository?.id);
  const phase = useApp((state) => state.indexing?.phase);
  const [callees, setCallees] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph is another one after indexing
  useEffect(() => {
    setCallees(NONE);
    if (!repository || !address) return;
    let wanted = true;
    calleesOf(repository, address).then((found) => wanted && setCallees(found));
    return () => {
      wanted = false;
    };
  }, [repository, address, phase]);
  return callees;
}
