/** The state of this window's search, which only changes through events, see `machine.ts`. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { RankedChunk, SearchResponse } from '../../../shared/search.ts';
import { initialState, type SearchEvent, type SearchState, transition } from './machine.ts';

export const useSearch = create<SearchState>(() => initialState(crypto.randomUUID()));

export function dispatch(event: SearchEvent): void {
  useSearch.setState((state) => transition(state, event));
}

type ListState = Pick<SearchState, 'search' | 'selection'>;

/** Returns the latest response, even if a later search is running or failed; null if none exists. */
export const getResponse = ({ search }: ListState): SearchResponse | null =>
  search.list?.response ?? null;

export const getSelected = ({ selection }: ListState): ChunkAddress | null =>
  selection?.address ?? null;

export const getCurrentResponse = (): SearchResponse | null => getResponse(useSearch.getState());
export const getCurrentSelected = (): ChunkAddress | null => getSelected(useSearch.getState());
export const useResponse = (): SearchResponse | null => useSearch(getResponse);
export const useSelected = (): ChunkAddress | null => useSearch(getSelected);

export const hasResults = (): boolean => (getCurrentResponse()?.results.length ?? 0) > 0;

/** Returns the result of the selected chunk; null if it is not in the list. */
export function useSelectedResult(): RankedChunk | null {
  return useSearch(
    (state) =>
      getResponse(state)?.results.find(({ address }) => address === getSelected(state)) ?? null,
  );
}

export const select = (address: ChunkAddress): void => dispatch({ type: 'selected', address });

export function setListPointed(isPointed: boolean): void {
  dispatch({ type: 'pointerMoved', isPointed });
}

/** Applies the new order, if one is ready. */
export const applyOrder = (): void => dispatch({ type: 'orderApplied' });
