/** The list of who refers to a function: of which, what was found, where one is in it. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Reference, ReferenceSite, References } from '../../../shared/call-graph.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { selectedNow } from '../search/index.ts';
import { calleesOf } from './calls.ts';
import { chunkAt } from './candidates.ts';
import { calleeAt } from './definition.ts';
import { jumpToLine } from './history.ts';
import { cursor, cursorLine, say, usePreview } from './view.ts';

interface ReferencesState {
  /** The chunk whose references are listed; null while there is no list. It stays whatever else is selected. */
  to: ChunkAddress | null;
  found: References | null;
  failure: Failure | null;
  /** Index of the place that the keyboard is at. */
  active: number;
}

const CLOSED: ReferencesState = { to: null, found: null, failure: null, active: 0 };
export const useReferences = create<ReferencesState>(() => CLOSED);

export const canFindReferences = (): boolean =>
  usePreview.getState().file !== null || selectedNow() !== null;

/** Lists who refers to what the cursor is at: what a call there calls, else the function around it. */
export async function findReferences(): Promise<void> {
  const { repository } = useApp.getState();
  if (!repository) return;
  const to = await meant(repository.id);
  if (!to) return say('There is no function and no class to find references to.');
  useReferences.setState({ ...CLOSED, to });
  showPanel('preview');
}

export function closeReferences(): void {
  useReferences.setState(CLOSED);
  usePreview.getState().made?.focus();
}

async function meant(repository: string): Promise<ChunkAddress | null> {
  const { made, file } = usePreview.getState();
  const selected = selectedNow();
  const at = cursor();
  const chunk = file && at && chunkAt(file.chunks, at.lineNumber);
  // With the focus in the list, its selected row is what is meant.
  if (!chunk || !at || !made?.hasTextFocus()) return selected;
  const called = calleeAt(await calleesOf(repository, chunk.address), at, made.getModel());
  return called ?? (chunk.kind === 'module' ? null : chunk.address);
}

export interface ListedSite extends ReferenceSite {
  reference: Reference;
}

export const sitesOf = ({ references }: References): ListedSite[] =>
  references.flatMap((reference) => reference.sites.map((site) => ({ ...site, reference })));

/** Shows a place in the code; the list stays, and the focus with it. */
export function goToSite({ reference, line, column }: ListedSite): void {
  jumpToLine(reference.caller.address, { line, column }, cursorLine());
}

const LIMIT = 500;

/** Finds what is listed, and again when the index has changed. */
export function useFoundReferences(): void {
  const repository = useApp((state) => state.repository?.id);
  const phase = useApp((state) => state.indexing?.phase);
  const edges = useApp((state) => state.status?.edges);
  const to = useReferences((state) => state.to);
  useEffect(() => () => useReferences.setState(CLOSED), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other edges are other references
  useEffect(() => {
    if (!repository || !to) return;
    const controller = new AbortController();
    const { signal } = controller;
    const request = { chunk: to, limit: LIMIT };
    engine.call('references', { repository, request }, { signal }).then(
      (found) => !signal.aborted && useReferences.setState({ found, failure: null }),
      (failure: Failure) => {
        if (!signal.aborted && !isCancelled(failure)) useReferences.setState({ failure });
      },
    );
    return () => controller.abort();
  }, [repository, to, phase, edges]);
}
