/** Snippets of visible rows: the lines that contain most of the words. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Snippet } from '../../../shared/detail.ts';
import type { Evidence } from '../../../shared/evidence.ts';
import { MAX_SNIPPETS } from '../../../shared/limits.ts';
import type { SearchResponse } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { useResponse } from '../search/index.ts';
import type { ResultListRow } from './rows.ts';

type Snippets = ReadonlyMap<ChunkAddress, Snippet | null>;

/** Loaded snippets. Those of an earlier list stay until the new ones arrive, to avoid flicker. */
const useSnippetStore = create<{ snippets: Snippets }>(() => ({ snippets: new Map() }));

/** Chunks whose snippets were requested for the current list. */
let asked: { response: SearchResponse | null; chunks: Set<ChunkAddress> } = {
  response: null,
  chunks: new Set(),
};

/** Returns the loaded snippets, and requests missing ones of these rows. */
export function useSnippets(rows: readonly (ResultListRow | undefined)[]): Snippets {
  const response = useResponse();
  useEffect(() => {
    const repository = useApp.getState().repository?.id;
    if (!repository || !response) return;
    if (asked.response !== response) asked = { response, chunks: new Set() };
    const missing = rows.flatMap((row) => {
      if (row?.type !== 'chunk' || asked.chunks.has(row.chunk.address)) return [];
      const words = listSnippetWords(row.chunk.evidence);
      return words.length > 0 ? [{ chunk: row.chunk.address, words }] : [];
    });
    const chunks = missing.slice(0, MAX_SNIPPETS);
    if (chunks.length === 0) return;
    for (const { chunk } of chunks) asked.chunks.add(chunk);
    engine.call('chunks.snippets', { repository, chunks }).then(
      (found) => {
        if (asked.response !== response) return;
        const { snippets } = useSnippetStore.getState();
        const named = chunks.map(({ chunk }, at) => [chunk, found[at] ?? null] as const);
        useSnippetStore.setState({ snippets: new Map([...snippets, ...named]) });
      },
      () => {},
    );
  });
  return useSnippetStore((state) => state.snippets);
}

/** Fields that are part of a chunk's own text. */
const IN_TEXT: ReadonlySet<string> = new Set(['signature', 'docstring', 'body']);

export interface SnippetWord {
  word: string;
  score: number;
}

/** Returns the words that the evidence found in a chunk's text, each with its highest score in any signal. */
export function listSnippetWords(evidence: Evidence | undefined): SnippetWord[] {
  const scores = new Map<string, number>();
  for (const { family, words = [], fields = [] } of Object.values(evidence ?? {})) {
    if (family !== 'words' || !fields.some(({ field }) => IN_TEXT.has(field))) continue;
    for (const { word, score } of words) scores.set(word, Math.max(score, scores.get(word) ?? 0));
  }
  return Array.from(scores, ([word, score]) => ({ word, score }));
}
