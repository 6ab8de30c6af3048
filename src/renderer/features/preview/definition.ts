/** From a call, or any name, to where it is defined. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge } from '../../../shared/call-graph.ts';
import { engine } from '../../platform/client.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { focusedPane, focusPane, type PaneName } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { responseNow } from '../search/index.ts';
import { calleesOf } from './calls.ts';
import { chunkAt } from './candidates.ts';
import { jump } from './history.ts';
import { cursor, cursorLine, say, usePreview } from './view.ts';

/** How another pane goes to what stands at its own cursor. */
interface DefinitionSource {
  /** Whether there is anything to go to. */
  ready: () => boolean;
  go: () => Promise<void>;
}

const sources = new Map<PaneName, DefinitionSource>();

/** “Go to the definition” with the focus in this pane is what `source` makes of it. */
export function provideDefinitions(pane: PaneName, source: DefinitionSource): Stop {
  sources.set(pane, source);
  return () => sources.delete(pane);
}

export const canGoToDefinition = (): boolean =>
  usePreview.getState().file !== null || sources.values().some(({ ready }) => ready());

/** Goes to the definition of what stands at the cursor of the pane that has the focus. */
export async function goToFocusedDefinition(): Promise<void> {
  const pane = focusedPane();
  const source = pane && sources.get(pane);
  if (source) return source.go();
  await goToDefinition();
  focusPane('side');
}

interface At {
  lineNumber: number;
  /** 1-based. */
  column: number;
}

/** Goes to the definition of what stands at the cursor, or at another place of the file. */
export async function goToDefinition(at: At | null = cursor()): Promise<void> {
  const { made, file } = usePreview.getState();
  const { repository } = useApp.getState();
  const chunk = file && at && chunkAt(file.chunks, at.lineNumber);
  if (!made || !repository || !chunk) return;
  const from = cursorLine();
  const called = calleeAt(await calleesOf(repository.id, chunk.address), at, made.getModel());
  const word = made.getModel()?.getWordAtPosition(at)?.word;
  const target = called ?? (word ? await definitionOf(repository.id, file.path, word) : null);
  if (target) jump(target, from);
  else if (word) say(`No definition of “${word}” was found in this repository.`);
  else say('There is no call and no name at the cursor.');
}

type Words = Pick<NonNullable<ReturnType<typeof modelOf>>, 'getWordAtPosition'> | null;
const modelOf = () => usePreview.getState().made?.getModel() ?? null;

/** The callee whose call stands at the place; or, of a line with a single call, that one. */
export function calleeAt(edges: readonly CallEdge[], at: At, words: Words): ChunkAddress | null {
  const onLine = edges.flatMap(({ callee, sites }) =>
    sites.filter(({ line }) => line === at.lineNumber).map(({ column }) => ({ callee, column })),
  );
  const start = words?.getWordAtPosition(at)?.startColumn;
  const exact = onLine.find(({ column }) => column + 1 === start);
  if (exact) return exact.callee;
  const [only, ...others] = onLine;
  return start === undefined && only && others.length === 0 ? only.callee : null;
}

/** Of the chunks of this simple name, the one in the same file, else the best of this search, else the first. */
async function definitionOf(
  repository: string,
  path: string,
  name: string,
): Promise<ChunkAddress | null> {
  const anchors = [{ path, qualifiedName: name, ordinal: 0, contentHash: null }];
  const [found] = await engine.call('resolveAnchors', { repository, request: { anchors } });
  if (!found) return null;
  const { inPlace, sameName } = found;
  if (inPlace) return inPlace.address;
  const here = sameName.find((chunk) => chunk.path === path);
  const addresses = new Set(sameName.map(({ address }) => address));
  const ranked = responseNow()?.results.find((chunk) => addresses.has(chunk.address));
  return (here ?? ranked ?? sameName[0])?.address ?? null;
}
