import { formatCounted } from '../../../shared/format-count.ts';
import type { LogTail } from '../../../shared/rpc/events.ts';
import { useAnswer } from '../../platform/answer.ts';
import { Dialog, SourceText, Spinner } from '../../ui/controls.tsx';
import { CopyButton } from './StatusPopover.tsx';
import styles from './status.module.css';

export default function LogDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { answer: log, failure } = useAnswer('log.tail', open ? {} : null);
  return (
    <Dialog title="Log" size="large" open={open} onClose={onClose}>
      <div className={styles.log}>
        <p role="alert">{failure?.message}</p>
        {log ? <LogEntries log={log} /> : !failure && <Spinner />}
      </div>
    </Dialog>
  );
}

function LogEntries({ log: { folder, lines, errors, warnings } }: { log: LogTail }) {
  const text = lines.join('\n');
  return (
    <>
      <p className={styles.logSummary}>
        <span>
          {formatCounted(errors, 'error')}, {formatCounted(warnings, 'warning')}. The log contains
          no code, issues, names or paths.
        </span>
        <SourceText text={folder} />
        {lines.length > 0 && <CopyButton what="log" text={() => text} />}
      </p>
      {lines.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className={styles.logEntries} tabIndex={0} aria-label="Latest entries">
          <pre>{text}</pre>
        </section>
      ) : (
        <p>The log is empty.</p>
      )}
    </>
  );
}
