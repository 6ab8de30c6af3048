import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import { MAX_NOTE } from '../../../shared/limits.ts';
import { Keys } from '../../ui/controls.tsx';
import { useMarks } from '../search/index.ts';
import { closeNote, useNotes } from './notes.ts';
import styles from './results.module.css';

/** Height in rem; at 100 %, a rem is 13 pixels. */
export const NOTE_EDITOR_HEIGHT = 92 / 13;

/** Edits a note below its row. Enter saves the note, Escape discards the change. */
export function NoteEditor({
  address,
  top,
  height,
}: {
  address: ChunkAddress;
  top: number;
  height: number;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const before = useMarks((state) => state.marks.get(address)?.note ?? '');
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') closeNote(null);
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      closeNote(event.currentTarget.value);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.noteEditor} style={{ top, height }}>
      <textarea
        ref={field}
        className="field-box"
        aria-label={`Note on ${splitAddress(address).name}`}
        defaultValue={before}
        maxLength={MAX_NOTE}
        placeholder="Note for the next reader"
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) =>
          useNotes.getState().editing === address && closeNote(currentTarget.value)
        }
      />
      <p className="flex-row">
        <Keys keys={['↵']} /> saves, <Keys keys={['Esc']} /> cancels
      </p>
    </div>
  );
}
