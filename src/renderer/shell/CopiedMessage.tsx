import { Check } from 'lucide-react';
import { useCopied } from '../platform/copy.ts';
import { SourceText } from '../ui/controls.tsx';
import styles from './shell.module.css';

/** Says for a few seconds what was copied, over dialogs too. */
export function CopiedMessage() {
  const { what, count } = useCopied();
  return (
    // `aria-live` keeps it readable while a dialog hides the rest of the window from screen readers.
    <div role="status" aria-live="polite" className={styles.copied}>
      {what !== null && (
        <p key={count} className={styles.copiedLine}>
          <Check size={14} />
          <span>
            Copied <SourceText text={what} />
          </span>
        </p>
      )}
    </div>
  );
}
