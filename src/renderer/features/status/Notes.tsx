import { Bell, CircleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import { clearNotes, useApp } from '../../app/state.ts';
import { Button } from '../../ui/controls.tsx';
import styles from './status.module.css';

/** What the engine had to say: notes and errors, one click away. */
export function Notes() {
  const notes = useApp((state) => state.notes);
  if (notes.length === 0) return null;
  const errors = notes.filter(({ level }) => level === 'error').length;
  const label = errors > 0 ? counted(errors, 'error') : counted(notes.length, 'note');
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.notesButton}>
        {errors > 0 ? (
          <CircleAlert size={13} className={styles.bad} aria-hidden="true" />
        ) : (
          <Bell size={13} aria-hidden="true" />
        )}
        {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.notes}
          aria-label="Notes"
          side="top"
          align="end"
          sideOffset={6}
        >
          <ul>
            {notes.toReversed().map(({ at, level, text, remedy }) => (
              <li key={`${at} ${text}`} data-level={level}>
                <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
                <p>{text}</p>
                {remedy && <p className={styles.remedy}>{remedy}</p>}
              </li>
            ))}
          </ul>
          <Button look="quiet" onClick={clearNotes}>
            Clear
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
