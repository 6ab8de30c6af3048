/** The note that is being edited. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { focusPane } from '../../platform/panes.ts';
import { onRepositoryChange } from '../../platform/state.ts';
import { changeMarks, useMarks } from '../search/index.ts';

export const useNotes = create<{ editing: ChunkAddress | null }>(() => ({ editing: null }));

export function editNote(address: ChunkAddress | null): void {
  useNotes.setState({ editing: address });
}

export const followNotes = (): Stop => onRepositoryChange(() => editNote(null));

/** Closes the note's editor and saves `note`; null discards the change. */
export function closeNote(note: string | null): void {
  const { editing } = useNotes.getState();
  useNotes.setState({ editing: null });
  focusPane('results');
  if (!editing || note === null) return;
  const before = useMarks.getState().marks.get(editing)?.note ?? '';
  if (note.trim() !== before) changeMarks([editing], { note: note.trim() });
}
