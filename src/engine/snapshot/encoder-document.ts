/** What an encoder is told of a chunk. */
import type { EncoderDocument } from '../encode/types.ts';
import type { Store } from '../store/store.ts';
import { isContext, MAX_CALLEES } from './graph-context.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** How much of a callee can matter to an encoder. */
export const CALLEE_CHARACTERS = 1_000;

/**
 * What the encoder is told about a chunk: its text, and the heads of chunks that it calls.
 * `heads` remembers heads by slot, since many chunks call the same ones.
 */
export function encoderDocument(
  store: Store,
  index: RepositoryIndex,
  slot: number,
  heads = new Map<number, string>(),
): EncoderDocument {
  const { id, path } = index.chunk(slot);
  const { text, signatureEnd, doc } = store.versions.text(id);
  const callees = calleeSlots(index, slot).map((callee) => {
    const chunk = index.chunk(callee);
    const head =
      heads.get(callee) ?? store.versions.text(chunk.id).text.slice(0, CALLEE_CHARACTERS);
    heads.set(callee, head);
    return { path: chunk.path, text: head };
  });
  return { path, text, signatureEnd, doc, callees };
}

/** The callees in an encoder's context, in order. Bases and decorators are in the text already. */
export function calleeSlots(index: RepositoryIndex, slot: number): number[] {
  const called = index
    .callees(slot)
    .filter((callee) => callee.slot !== slot && isContext(callee.kind))
    .map((callee) => callee.slot);
  return [...new Set(called)].slice(0, MAX_CALLEES);
}
