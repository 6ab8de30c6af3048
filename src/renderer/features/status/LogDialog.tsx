import { useEffect, useState } from 'react';
import type { LogTail } from '../../../shared/note.ts';
import { engine } from '../../platform/client.ts';
import { Dialog, Source, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { CopyButton } from './StatusPopover.tsx';
import styles from './status.module.css';

/** The end of the log. It is read again each time the dialog opens. */
export default function LogDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [log, setLog] = useState<LogTail | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (!open) return;
    setFailure(null);
    engine.call('log.tail', {}).then(setLog, (error) => setFailure(error.message));
  }, [open]);
  return (
    <Dialog title="Log" size="large" open={open} onClose={onClose}>
      <div className={styles.log}>
        <p role="alert">{failure}</p>
        {log ? <Entries log={log} /> : !failure && <Spinner />}
      </div>
    </Dialog>
  );
}

function Entries({ log: { folder, lines, errors, warnings } }: { log: LogTail }) {
  const text = lines.join('\n');
  return (
    <>
      <p className={styles.logSummary}>
        <span>
          {counted(errors, 'error')}, {counted(warnings, 'warning')}. It holds no code, issues,
          names or paths.
        </span>
        <Source text={folder} />
        {lines.length > 0 && <CopyButton label="Copy log" text={() => text} />}
      </p>
      {lines.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section className={styles.logEntries} tabIndex={0} aria-label="Last entries">
          <pre>{text}</pre>
        </section>
      ) : (
        <p>Nothing was logged yet.</p>
      )}
    </>
  );
}
