/** Follows the selected function when its file moves, as after `git mv`. */

import { useEffect, useState } from 'react';
import {
  type AddressParts,
  type ChunkAddress,
  parseAddress,
  splitAddress,
} from '../../../shared/address.ts';
import type { ChunkSummary, HashedChunk } from '../../../shared/chunk.ts';
import type { AnchorMatches } from '../../../shared/lists.ts';
import { engine } from '../../platform/client.ts';
import { useIndexVersion } from '../../platform/index-changes.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { useApp } from '../../platform/state.ts';
import { select } from '../search/index.ts';
import { renameInHistory } from './history.ts';

/** A function as it was last shown. */
interface ShownChunk {
  chunk: ChunkSummary;
  contentHash: string;
  /** Functions with the same code or name that existed then, so none of them is its new location. */
  others: ReadonlySet<ChunkAddress>;
}

const shown = new RecentMap<ShownChunk>(200);
/** New paths of files that moved, by repository and old path. */
const newPaths = new RecentMap<string>(200);

async function match(
  repository: string,
  { path, qualifiedName, ordinal }: AddressParts,
  contentHash: string | null,
): Promise<AnchorMatches | undefined> {
  const anchors = [{ path, qualifiedName, ordinal, contentHash }];
  const [matches] = await engine.call('resolveAnchors', { repository, request: { anchors } });
  return matches;
}

async function remember(repository: string, chunk: ChunkSummary): Promise<void> {
  const { contentHash } = (await match(repository, chunk, null))?.sameAddress ?? {};
  if (!contentHash) return;
  const { sameContent = [], sameName = [] } = (await match(repository, chunk, contentHash)) ?? {};
  const others = new Set([...sameContent, ...sameName].map(({ address }) => address));
  shown.set(`${repository} ${chunk.address}`, { chunk, contentHash, others });
}

/**
 * Finds the new location of a function, or returns null. If its file is known to have moved, looks there. Otherwise, the function
 * must have been shown before: its location is then the only new function with its code and name, or else with its name.
 */
async function findNewLocation(
  repository: string,
  address: ChunkAddress,
): Promise<HashedChunk | null> {
  const parts = parseAddress(address);
  const path = parts && newPaths.get(`${repository} ${parts.path}`);
  const there = path && (await match(repository, { ...parts, path }, null))?.sameAddress;
  if (there) return there;
  const before = shown.get(`${repository} ${address}`);
  if (!before) return null;
  const matches = await match(repository, before.chunk, before.contentHash);
  const select = (all: readonly HashedChunk[] = []) =>
    all.filter(
      (one) => one.qualifiedName === before.chunk.qualifiedName && !before.others.has(one.address),
    );
  const [same, named] = [select(matches?.sameContent), select(matches?.sameName)];
  const found = same.length > 0 ? same : named;
  return found.length === 1 ? (found[0] ?? null) : null;
}

/**
 * Selects the new location of a function whose file is no longer in the index.
 * @param chunk the selected function, if its file has it
 * @param isLost true if the file is not in the index
 * @returns `from`: the path from which the selected function moved; null if it did not. `isMissing`: true if its file is lost, and no
 *   new location was found.
 */
export function useMoved(
  selected: ChunkAddress | null,
  chunk: ChunkSummary | null,
  isLost: boolean,
): { from: string | null; isMissing: boolean } {
  const repository = useApp((state) => state.repository?.id);
  const version = useIndexVersion();
  const [moved, setMoved] = useState<{ from: string; to: ChunkAddress } | null>(null);
  /** Function of which no new location was found. */
  const [missing, setMissing] = useState<ChunkAddress | null>(null);
  useEffect(() => {
    // Without the engine's answer, the function is not followed.
    if (repository && chunk) remember(repository, chunk).catch(() => {});
  }, [repository, chunk]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new file may be indexed later than the old one is removed
  useEffect(() => {
    if (!repository || !selected || !isLost) return;
    let isCurrent = true;
    findNewLocation(repository, selected).then(
      (now) => {
        if (!isCurrent) return;
        if (!now) return setMissing(selected);
        const from = splitAddress(selected).path;
        newPaths.set(`${repository} ${from}`, now.path);
        setMoved({ from, to: now.address });
        renameInHistory(selected, now.address);
        select(now.address);
      },
      () => isCurrent && setMissing(selected),
    );
    return () => {
      isCurrent = false;
    };
  }, [repository, selected, isLost, version]);
  return {
    from: moved !== null && moved.to === selected ? moved.from : null,
    isMissing: isLost && missing === selected,
  };
}
