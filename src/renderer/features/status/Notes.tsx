import { Bell, CircleAlert } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import { formatCounted } from '../../../shared/format-count.ts';
import { clearNotes, selectNotes, useApp } from '../../platform/state.ts';
import { Button } from '../../ui/controls.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { CopyButton, StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function Notes() {
  const notes = useApp(useShallow(selectNotes));
  if (notes.length === 0) return null;
  const errors = notes.filter(({ level }) => level === 'error').length;
  const label = errors > 0 ? formatCounted(errors, 'error') : formatCounted(notes.length, 'note');
  return (
    <StatusPopover
      label="Notes"
      trigger={
        <>
          {errors > 0 ? <CircleAlert size={13} className="bad" /> : <Bell size={13} />}
          {label}
        </>
      }
    >
      <ul>
        {notes.toReversed().map(({ at, level, text, remedy }) => (
          <li key={`${at} ${text}`} data-level={level}>
            <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
            <p>
              <Sentence text={text} />
            </p>
            {remedy && <p className={styles.remedy}>{remedy}</p>}
          </li>
        ))}
      </ul>
      <div className={styles.noteActions}>
        <CopyButton
          text={() =>
            notes
              .map(({ at, level, text, remedy }) => [at, level, text, remedy ?? ''].join('\t'))
              .join('\n')
          }
        />
        <Button look="quiet" onClick={clearNotes}>
          Clear
        </Button>
      </div>
    </StatusPopover>
  );
}
