/** Collects the inputs of an encoder for a chunk. */
import type { EncoderDocument } from '../encode/types.ts';
import type { Store } from '../store/store.ts';
import { isContextEdge, MAX_CALLEES } from './graph-context.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** Number of characters of a callee that an encoder may use. */
export const CALLEE_CHARACTERS = 1_000;

/**
 * Returns the encoder's input for a chunk: its text, and the beginnings of its callees.
 * @param heads cache of beginnings by slot, since many chunks call the same ones.
 */
export function buildEncoderDocument(
  store: Store,
  index: RepositoryIndex,
  slot: number,
  heads = new Map<number, string>(),
): EncoderDocument {
  const { id, path } = index.getChunk(slot);
  const { text, signatureEnd, doc } = store.versions.getChunkText(id);
  const callees = getContextCallees(index, slot).map((callee) => {
    const chunk = index.getChunk(callee);
    const head =
      heads.get(callee) ?? store.versions.getChunkText(chunk.id).text.slice(0, CALLEE_CHARACTERS);
    heads.set(callee, head);
    return { path: chunk.path, text: head };
  });
  return { path, text, signatureEnd, doc, callees };
}

/** Returns the callees that are part of an encoder's input, in order. Bases and decorators are already in the chunk's text. */
export function getContextCallees(index: RepositoryIndex, slot: number): number[] {
  const called = index
    .getCallees(slot)
    .filter((callee) => callee.slot !== slot && isContextEdge(callee.kind))
    .map((callee) => callee.slot);
  return [...new Set(called)].slice(0, MAX_CALLEES);
}
