/** State of the list of references to a function. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Reference, ReferenceSite, References } from '../../../shared/call-graph.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { getCurrentSelected } from '../search/index.ts';
import { loadCallees } from './calls.ts';
import { findChunkAt } from './candidates.ts';
import { findCalleeAt } from './definition.ts';
import { jumpToLine } from './history.ts';
import { getCursor, getCursorLine, showMessage, usePreview } from './view.ts';

interface ReferencesState {
  /** Chunk whose references are listed, independent of the selection; null if the list is closed. */
  to: ChunkAddress | null;
  found: References | null;
  failure: Failure | null;
  /** Index of the active reference. */
  active: number;
}

const CLOSED: ReferencesState = { to: null, found: null, failure: null, active: 0 };
export const useReferences = create<ReferencesState>(() => CLOSED);

export const canFindReferences = (): boolean =>
  usePreview.getState().file !== null || getCurrentSelected() !== null;

/** Lists the references to the callee at the cursor, or else to the function that encloses the cursor. */
export async function findReferences(): Promise<void> {
  const { repository } = useApp.getState();
  if (!repository) return;
  const to = await findTarget(repository.id);
  if (!to) return showMessage('No function or class at the cursor');
  useReferences.setState({ ...CLOSED, to });
  showPanel('preview');
}

export function closeReferences(): void {
  useReferences.setState(CLOSED);
  usePreview.getState().made?.focus();
}

async function findTarget(repository: string): Promise<ChunkAddress | null> {
  const { made, file } = usePreview.getState();
  const selected = getCurrentSelected();
  const at = getCursor();
  const chunk = file && at && findChunkAt(file.chunks, at.lineNumber);
  // If the focus is in the list, the target is the selected result.
  if (!chunk || !at || !made?.hasTextFocus()) return selected;
  const called = findCalleeAt(await loadCallees(repository, chunk.address), at, made.getModel());
  return called ?? (chunk.kind === 'module' ? null : chunk.address);
}

export interface ListedSite extends ReferenceSite {
  reference: Reference;
}

export const listSites = ({ references }: References): ListedSite[] =>
  references.flatMap((reference) => reference.sites.map((site) => ({ ...site, reference })));

/** Shows a reference in the code. The list stays open and keeps the focus. */
export function goToSite({ reference, line, column }: ListedSite): void {
  jumpToLine(reference.caller.address, { line, column }, getCursorLine());
}

const MAX_CALLERS = 500;

/** Loads the references, and again when the index changes. */
export function useLoadReferences(): void {
  const repository = useApp((state) => state.repository?.id);
  const phase = useApp((state) => state.indexing?.phase);
  const edges = useApp((state) => state.status?.edges);
  const to = useReferences((state) => state.to);
  useEffect(() => () => useReferences.setState(CLOSED), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: references change with the edges
  useEffect(() => {
    if (!repository || !to) return;
    const controller = new AbortController();
    const { signal } = controller;
    const request = { chunk: to, limit: MAX_CALLERS };
    engine.call('references', { repository, request }, { signal }).then(
      (found) => !signal.aborted && useReferences.setState({ found, failure: null }),
      (failure: Failure) => {
        if (!signal.aborted && !isCancelled(failure)) useReferences.setState({ failure });
      },
    );
    return () => controller.abort();
  }, [repository, to, phase, edges]);
}
