/** Finds the definition of a call or of any name. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge } from '../../../shared/call-graph.ts';
import { engine } from '../../platform/client.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { focusPane, getFocusedPane, type PaneName } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import type { editor } from '../../ui/monaco.ts';
import { getCurrentResponse } from '../search/index.ts';
import { loadCallees } from './calls.ts';
import { findChunkAt } from './candidates.ts';
import { jumpToChunk } from './history.ts';
import { getCursor, getCursorLine, showMessage, usePreview } from './view.ts';

/** Go-to-definition of another pane, for the name at that pane's cursor. */
interface DefinitionSource {
  /** Returns true if there is a name to look up. */
  ready: () => boolean;
  go: () => Promise<void>;
}

const sources = new Map<PaneName, DefinitionSource>();

/** Lets `source` handle go-to-definition while this pane has the focus. */
export function registerDefinitionSource(pane: PaneName, source: DefinitionSource): Stop {
  sources.set(pane, source);
  return () => sources.delete(pane);
}

export const canGoToDefinition = (): boolean =>
  usePreview.getState().file !== null || sources.values().some(({ ready }) => ready());

/** Goes to the definition of the name at the cursor of the focused pane. */
export async function goToFocusedDefinition(): Promise<void> {
  const pane = getFocusedPane();
  const source = pane && sources.get(pane);
  if (source) return source.go();
  await goToDefinition();
  focusPane('side');
}

interface CodePosition {
  lineNumber: number;
  /** 1-based. */
  column: number;
}

/** Goes to the definition of the name at the cursor, or at another position in the file. */
export async function goToDefinition(at: CodePosition | null = getCursor()): Promise<void> {
  const { made, file } = usePreview.getState();
  const { repository } = useApp.getState();
  const chunk = file && at && findChunkAt(file.chunks, at.lineNumber);
  if (!made || !repository || !chunk) return;
  const from = getCursorLine();
  const called = findCalleeAt(await loadCallees(repository.id, chunk.address), at, made.getModel());
  const word = made.getModel()?.getWordAtPosition(at)?.word;
  const target = called ?? (word ? await findByName(repository.id, file.path, word) : null);
  if (target) jumpToChunk(target, from);
  else if (word) showMessage(`No definition of “${word}” was found in this repository.`);
  else showMessage('No name at the cursor');
}

type WordSource = Pick<editor.ITextModel, 'getWordAtPosition'> | null;

/** Returns the callee of the call at a position; away from any word, the callee of the line's only call. */
export function findCalleeAt(
  edges: readonly CallEdge[],
  at: CodePosition,
  words: WordSource,
): ChunkAddress | null {
  const onLine = edges.flatMap(({ callee, sites }) =>
    sites.filter(({ line }) => line === at.lineNumber).map(({ column }) => ({ callee, column })),
  );
  const start = words?.getWordAtPosition(at)?.startColumn;
  const exact = onLine.find(({ column }) => column + 1 === start);
  if (exact) return exact.callee;
  const [only, ...others] = onLine;
  return start === undefined && only && others.length === 0 ? only.callee : null;
}

/** Returns a chunk with this simple name: one in the same file, else the best result of this search, else the first. */
async function findByName(
  repository: string,
  path: string,
  name: string,
): Promise<ChunkAddress | null> {
  const anchors = [{ path, qualifiedName: name, ordinal: 0, contentHash: null }];
  const [found] = await engine.call('resolveAnchors', { repository, request: { anchors } });
  if (!found) return null;
  const { sameAddress, sameName } = found;
  if (sameAddress) return sameAddress.address;
  const inFile = sameName.find((chunk) => chunk.path === path);
  const addresses = new Set(sameName.map(({ address }) => address));
  const ranked = getCurrentResponse()?.results.find((chunk) => addresses.has(chunk.address));
  return (inFile ?? ranked ?? sameName[0])?.address ?? null;
}
