/** The lines of the rows on the screen that have most of the words. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { MOST_SNIPPETS } from '../../../shared/limits.ts';
import type { SearchResponse } from '../../../shared/search.ts';
import type { Snippet } from '../../../shared/snippet.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { useSearch } from '../search/index.ts';
import type { Row } from './rows.ts';
import { snippetWords } from './snippet-words.ts';

type Snippets = ReadonlyMap<ChunkAddress, Snippet | null>;

/** What is known; that of an earlier list stays until the newer one's is there, so that nothing flickers. */
const useSnippetStore = create<{ snippets: Snippets }>(() => ({ snippets: new Map() }));

/** What was asked for with the list that is shown. */
let asked: { response: SearchResponse | null; chunks: Set<ChunkAddress> } = {
  response: null,
  chunks: new Set(),
};

/** The snippets as far as they are known; those of these rows are asked for. */
export function useSnippets(rows: readonly (Row | undefined)[]): Snippets {
  const response = useSearch((state) => state.response);
  useEffect(() => {
    const repository = useApp.getState().repository?.id;
    if (!repository || !response) return;
    if (asked.response !== response) asked = { response, chunks: new Set() };
    const missing = rows.flatMap((row) => {
      if (row?.type !== 'chunk' || asked.chunks.has(row.chunk.address)) return [];
      const words = snippetWords(row.chunk.evidence);
      return words.length > 0 ? [{ chunk: row.chunk.address, words }] : [];
    });
    const chunks = missing.slice(0, MOST_SNIPPETS);
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
