import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Keys } from '../../ui/controls.tsx';
import { useMarks } from '../search/index.ts';
import { closeNote, useNotes } from './notes.ts';
import styles from './results.module.css';

/** Below the row it is about: Enter keeps the note, Escape leaves it as it was. */
export function NoteEditor({ top, height }: { top: number; height: number }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const editing = useNotes((state) => state.editing)!;
  const before = useMarks((state) => state.marks.get(editing)?.note ?? '');
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') closeNote(null);
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      closeNote(field.current!.value);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.noteEditor} style={{ top, height }}>
      <textarea
        ref={field}
        aria-label={`Note on ${editing.slice(editing.lastIndexOf('::') + 2)}`}
        defaultValue={before}
        maxLength={10_000}
        placeholder="What the next reader should know"
        onKeyDown={onKeyDown}
        onBlur={() => useNotes.getState().editing === editing && closeNote(field.current!.value)}
      />
      <p>
        <Keys keys={['↵']} /> keeps it, <Keys keys={['Esc']} /> does not
      </p>
    </div>
  );
}
