import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import type { RepositoryStatus } from '../../../shared/indexing.ts';
import { describeUnsupported } from '../../../shared/unsupported.ts';
import { useAnswer } from '../../platform/answer.ts';
import { runCommand } from '../../platform/commands.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText } from '../../ui/controls.tsx';
import { formatBytes } from '../../ui/counts.ts';
import { getResponse, useSearch } from '../search/index.ts';
import { CopyButton, DetailRows, StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function IndexDetails() {
  const status = useApp((state) => state.status);
  if (!status) return null;
  return (
    <StatusPopover
      label="Index"
      trigger={`${formatCounted(status.chunks, 'function')} in ${formatCounted(status.files, 'file')}`}
    >
      <Numbers status={status} />
      <Languages status={status} />
      <Skipped status={status} />
      <ModelDetails status={status} />
    </StatusPopover>
  );
}

function Numbers({ status }: { status: RepositoryStatus }) {
  const { chunksByKind: kinds } = status;
  const rows: [name: string, value: string][] = [
    ['Functions outside classes', formatCount(kinds.function)],
    ['Methods', formatCount(kinds.method)],
    ['Classes', formatCount(kinds.class)],
    ['Module code', formatCounted(kinds.module, 'file')],
    [
      'Calls and other references',
      `${formatCount(status.edges)}, ${formatCount(status.guessedEdges)} guessed`,
    ],
    ['Files with syntax errors', formatCount(status.filesWithErrors)],
    ['Index on disk', formatBytes(status.databaseBytes)],
  ];
  return (
    <>
      <h3>Index</h3>
      <DetailRows rows={rows} />
    </>
  );
}

function Languages({ status: { languages, unread, files } }: { status: RepositoryStatus }) {
  if (languages.length + unread.length === 0) return null;
  return (
    <>
      <h3>Languages</h3>
      <DetailRows
        rows={languages.map(({ title, files }) => [title, formatCounted(files, 'file')])}
      />
      {unread.length > 0 && <p>{describeUnsupported(unread, files)}.</p>}
    </>
  );
}

/** Model and device, which the settings change. */
function ModelDetails({ status }: { status: RepositoryStatus }) {
  const searchDevice = useSearch((state) => getResponse(state)?.model.device);
  const device = useApp((state) => state.indexing?.report?.device) ?? searchDevice;
  return (
    <details className={styles.details}>
      <summary>Details</summary>
      <DetailRows
        rows={[
          ['Model', status.model.id],
          ...(device ? [['Device', device] as const] : []),
          ['Embedded', `${formatCount(status.embedded)} of ${formatCount(status.chunks)}`],
        ]}
      />
      <Button onClick={() => runCommand('view.chooseModel')}>Choose model and device…</Button>
    </details>
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
      <h3>{formatCounted(total, 'skipped file')}</h3>
      <ul>
        {files.slice(0, MAX_SKIPPED).map(({ path, reason, detail }) => (
          <li key={path}>
            <SourceText text={path} />
            <p className={styles.remedy}>
              {reason}
              {detail && (
                <>
                  : <SourceText text={detail} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {files.length > MAX_SKIPPED && <p>… and {formatCount(files.length - MAX_SKIPPED)} more</p>}
      <CopyButton
        text={() =>
          files.map(({ path, reason, detail }) => `${path}\t${reason}\t${detail}`).join('\n')
        }
      />
    </>
  );
}
