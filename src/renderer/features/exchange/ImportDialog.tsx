import { FileJson2, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import type { ImportedCheck, ImportedList } from '../../../shared/lists.ts';
import { focusAfterDialog, type PaneName } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Dialog, SourceText, Spinner } from '../../ui/controls.tsx';
import { formatAgo } from '../../ui/counts.ts';
import { useFileDrop } from '../../ui/file-drop.ts';
import { useFilters } from '../search/index.ts';
import styles from './exchange.module.css';
import { ImportedEntries } from './ImportedEntries.tsx';
import {
  type CopiedMarks,
  closeImport,
  copyIssueAndMarks,
  loadImportedList,
  useImport,
} from './import.ts';

/** Opens an exported list, and compares it with the current code. */
export default function ImportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const repository = useApp((state) => state.repository?.id);
  const imported = useImport();
  const list = imported.repository === repository ? imported.list : null;
  const next = useRef<PaneName | null>(null);
  const closeTo = (pane: PaneName) => {
    next.current = pane;
    onClose();
  };
  return (
    <Dialog
      title="Open list"
      size={list ? 'large' : 'medium'}
      open={open}
      onClose={onClose}
      onClosed={() => {
        focusAfterDialog(next.current);
        next.current = null;
      }}
    >
      {list ? <List list={list} closeTo={closeTo} /> : <Chooser />}
    </Dialog>
  );
}

function Chooser() {
  const { failure, reading, name } = useImport();
  const { over, handlers } = useFileDrop(({ files: [file] }) => {
    if (file) loadImportedList(file);
  });
  return (
    <div className={styles.chooser} data-over={over || undefined} {...handlers}>
      <FileJson2 size={32} />
      <p>
        Drop a list that was exported as <b>JSON</b>, or choose its file. Locus finds its functions
        in this repository, even if they have moved or changed since.
      </p>
      <label className={styles.file}>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) loadImportedList(file);
            target.value = '';
          }}
        />
        <span>
          <FileUp size={15} />
          Choose a file…
        </span>
      </label>
      <div role="status">
        {reading && (
          <>
            <Spinner /> Reading <SourceText text={name} />…
          </>
        )}
      </div>
      <p role="alert" className={styles.failure}>
        {failure && formatFailure(failure)}
      </p>
    </div>
  );
}

/** Progress of copying the list's issue and marks. */
type CopyState =
  | { state: 'no' | 'busy' }
  | ({ state: 'done' } & CopiedMarks)
  | { state: 'failed'; failure: Failure };

function List({ list, closeTo }: { list: ImportedList; closeTo: (pane: PaneName) => void }) {
  const { issue, repository, entries, check } = list;
  const marks = entries.filter(({ mark, note }) => mark || note).length;
  const [copying, setCopying] = useState<CopyState>({ state: 'no' });
  const copy = async () => {
    if (copying.state === 'busy') return;
    setCopying({ state: 'busy' });
    try {
      const copied = await copyIssueAndMarks(list);
      if (marks === 0) closeTo('results');
      else setCopying({ state: 'done', ...copied });
    } catch (error) {
      setCopying({ state: 'failed', failure: error as Failure });
    }
  };
  const showMarked = () => {
    useFilters.setState({ view: 'marked' });
    closeTo('results');
  };
  return (
    <div className={styles.imported}>
      <div className={styles.importedHead}>
        <div className="grow">
          <h3 className="ellipsis">
            <SourceText text={issue.title} />
          </h3>
          <p className="hint">
            {formatCounted(entries.length, 'result')} of <SourceText text={repository.name} />
            {repository.commit && (
              <>
                {' '}
                at <code>{repository.commit.slice(0, 10)}</code>
              </>
            )}
            {marks > 0 && `, ${marks} with a mark or a note`}
          </p>
          {check && <ImportedCheckLine check={check} />}
        </div>
        <Button onClick={closeImport}>Open another list</Button>
        {/* A single button for both steps, so that it keeps the focus. */}
        <Button look="primary" onClick={copying.state === 'done' ? showMarked : copy}>
          {copying.state === 'done'
            ? 'Show marked results'
            : marks > 0
              ? 'Copy issue and marks'
              : 'Copy issue'}
        </Button>
      </div>
      <p role="status">{copying.state === 'done' && summarize(copying)}</p>
      <p role="alert" className={styles.failure}>
        {copying.state === 'failed' &&
          `The marks were not copied. ${formatFailure(copying.failure)}`}
      </p>
      <ImportedEntries list={list} onChoose={() => closeTo('side')} />
    </div>
  );
}

/** Says who checked the list, according to its file. */
function ImportedCheckLine({
  check: { model, place, checkedAt, order },
}: {
  check: ImportedCheck;
}) {
  return (
    <p className="hint">
      Checked by <SourceText text={`${model} ${place}`} />, {formatAgo(Date.parse(checkedAt))}.{' '}
      {order === 'checked'
        ? 'The order and the verdicts are those of a language model.'
        : 'The verdicts are those of a language model.'}
    </p>
  );
}

function summarize({ copied, notFound }: CopiedMarks): string {
  const rest =
    notFound > 0
      ? ` ${formatCounted(notFound, 'result')} with marks or notes could not be found here.`
      : '';
  return `Copied the issue, and marks and notes of ${formatCounted(copied, 'result')}.${rest}`;
}
