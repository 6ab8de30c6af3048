import type { RepositoryStatus } from '../../../shared/indexing.ts';
import { unreadNote } from '../../../shared/unread.ts';
import { useAnswer } from '../../platform/answer.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { bytes, counted, number } from '../../ui/counts.ts';
import { CopyButton, Rows, StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function IndexDetails() {
  const status = useApp((state) => state.status);
  if (!status) return null;
  return (
    <StatusPopover
      label="Index"
      trigger={`${counted(status.chunks, 'function')} in ${counted(status.files, 'file')}`}
    >
      <Numbers status={status} />
      <Languages status={status} />
      <Skipped status={status} />
    </StatusPopover>
  );
}

function Numbers({ status }: { status: RepositoryStatus }) {
  const { chunksByKind: kinds } = status;
  const rows: [name: string, value: string][] = [
    ['Functions outside classes', number(kinds.function)],
    ['Methods', number(kinds.method)],
    ['Classes', number(kinds.class)],
    ['Module code', counted(kinds.module, 'file')],
    [
      'Calls and other references',
      `${number(status.edges)}, ${number(status.guessedEdges)} guessed`,
    ],
    ['Embedded', `${number(status.embedded)} of ${number(status.chunks)}`],
    ['Files with syntax errors', number(status.filesWithErrors)],
    ['Index on disk', bytes(status.databaseBytes)],
  ];
  return (
    <>
      <h3>Index</h3>
      <Rows rows={rows} />
    </>
  );
}

function Languages({ status: { languages, unread, files } }: { status: RepositoryStatus }) {
  if (languages.length + unread.length === 0) return null;
  return (
    <>
      <h3>Languages</h3>
      <Rows rows={languages.map(({ title, files }) => [title, counted(files, 'file')])} />
      {unread.length > 0 && <p>{unreadNote(unread, files)}.</p>}
    </>
  );
}

const MAX_SKIPPED = 200;

function Skipped({ status }: { status: RepositoryStatus }) {
  const repository = useApp((state) => state.repository?.id);
  const total = Object.values(status.skipped).reduce((sum, number) => sum + number, 0);
  const params = repository && total > 0 ? { repository, request: {} } : null;
  // Without an answer the list stays empty. The count is already known.
  const { answer: files = [] } = useAnswer('skipped', params, { again: total });
  if (total === 0) return <p>No file in a supported language was skipped.</p>;
  return (
    <>
      <h3>{counted(total, 'skipped file')}</h3>
      <ul>
        {files.slice(0, MAX_SKIPPED).map(({ path, reason, detail }) => (
          <li key={path}>
            <Source text={path} />
            <p className={styles.remedy}>
              {reason}
              {detail && (
                <>
                  : <Source text={detail} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {files.length > MAX_SKIPPED && <p>… and {number(files.length - MAX_SKIPPED)} more</p>}
      <CopyButton
        text={() =>
          files.map(({ path, reason, detail }) => `${path}\t${reason}\t${detail}`).join('\n')
        }
      />
    </>
  );
}
