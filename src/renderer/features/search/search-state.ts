/** The state of this window's search. Only events change it: see `machine.ts`. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { RankedChunk, SearchResponse } from '../../../shared/search.ts';
import { initialState, type SearchEvent, type SearchState, transition } from './machine.ts';

export const useSearch = create<SearchState>(() => initialState(crypto.randomUUID()));

export function dispatch(event: SearchEvent): void {
  useSearch.setState((state) => transition(state, event));
}

type From = Pick<SearchState, 'search' | 'selection'>;

/** Returns the latest answer, whether a later search runs or failed; null without one. */
export const responseOf = ({ search }: From): SearchResponse | null =>
  search.list?.response ?? null;

export const selectedOf = ({ selection }: From): ChunkAddress | null => selection?.address ?? null;

export const responseNow = (): SearchResponse | null => responseOf(useSearch.getState());
export const selectedNow = (): ChunkAddress | null => selectedOf(useSearch.getState());
export const useResponse = (): SearchResponse | null => useSearch(responseOf);
export const useSelected = (): ChunkAddress | null => useSearch(selectedOf);

export const hasResults = (): boolean => (responseNow()?.results.length ?? 0) > 0;

/** Returns the selected chunk as the list has it; null when it is not in the list. */
export function useSelectedResult(): RankedChunk | null {
  return useSearch(
    (state) =>
      responseOf(state)?.results.find(({ address }) => address === selectedOf(state)) ?? null,
  );
}

export const select = (address: ChunkAddress): void => dispatch({ type: 'selected', address });

export function pointAtList(isPointed: boolean): void {
  dispatch({ type: 'pointerMoved', isPointed });
}

/** Puts the rows into the reranked order, if it is ready. */
export const applyReranked = (): void => dispatch({ type: 'rerankedApplied' });
