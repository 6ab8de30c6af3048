/** What was found for the issue, and what of it is selected. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { SearchResponse } from '../../../shared/search.ts';

interface SearchState {
  searching: boolean;
  /** Of the latest search that was answered; null for an empty issue. */
  response: SearchResponse | null;
  /** The refined list, while the first one is still shown. */
  ready: SearchResponse | null;
  /** How often a refined list took the place of a first one: rows then move. */
  moves: number;
  failure: Failure | null;
  /** The chunk that preview and neighbours show; any chunk, in the list or not. */
  selected: ChunkAddress | null;
  /** Whether the user chose it; otherwise the best result is selected, whichever that is. */
  chosen: boolean;
}

export const useSearch = create<SearchState>(() => ({
  searching: false,
  response: null,
  ready: null,
  moves: 0,
  failure: null,
  selected: null,
  chosen: false,
}));
