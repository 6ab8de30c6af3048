import { Command as Cmdk } from 'cmdk';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { useAnswer } from '../../platform/answer.ts';
import { focusPane, showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { getResponse, select, useSearch } from '../search/index.ts';
import styles from './palette.module.css';

const MAX_SHOWN = 100;

/** Lists functions and files whose name contains the typed text; without a text, the best results. */
export function NameItems({
  text,
  onChoose,
}: {
  text: string;
  onChoose: (run: () => void) => void;
}) {
  const repository = useApp((state) => state.repository?.id);
  const best = useSearch((state) => getResponse(state)?.results);
  const typed = text.trim() !== '';
  const asked =
    repository && typed ? { repository, request: { query: text, limit: MAX_SHOWN } } : null;
  const { answer: chunks, failure } = useAnswer('find', asked);
  const shown = typed ? chunks : (best ?? []).slice(0, 12);
  const go = ({ address }: ChunkSummary) =>
    onChoose(() => {
      select(address);
      showPanel('preview');
      focusPane('side');
    });
  return (
    <>
      <Cmdk.List className={styles.list} label="Code">
        {shown && shown.length > 0 && (
          <Cmdk.Group
            heading={
              typed
                ? shown.length === MAX_SHOWN
                  ? `First ${MAX_SHOWN}`
                  : 'Functions, classes and files'
                : 'Best results for this issue'
            }
            className={styles.group}
          >
            {shown.map((chunk) => (
              <Cmdk.Item
                key={chunk.address}
                value={chunk.address}
                className={styles.item}
                onSelect={() => go(chunk)}
              >
                <Line chunk={chunk} typed={text.trim()} />
              </Cmdk.Item>
            ))}
          </Cmdk.Group>
        )}
      </Cmdk.List>
      {failure && <div className={styles.empty}>{failure.message}</div>}
      {!failure && shown?.length === 0 && (
        <div className={styles.empty} role="status">
          {typed
            ? 'No matching functions or files'
            : 'Type part of a name, or part of a path with a slash'}
        </div>
      )}
    </>
  );
}

function Line({ chunk, typed }: { chunk: ChunkSummary; typed: string }) {
  const { kind, path, qualifiedName, startLine } = chunk;
  const Icon = KIND_ICONS[kind];
  const isFile = kind === 'module';
  return (
    <>
      <Icon size={15} aria-label={isFile ? 'file' : kind} className={styles.kind} />
      <span className={styles.name}>
        <WithMatch
          text={isFile ? path.slice(path.lastIndexOf('/') + 1) : qualifiedName}
          part={typed}
        />
      </span>
      <span className={styles.path}>
        <SourceText text={isFile ? path : `${path}:${startLine}`} />
      </span>
    </>
  );
}

/** Shows a text with the last occurrence of the part in bold, since the simple name is at the end. */
function WithMatch({ text, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : text.toLowerCase().lastIndexOf(part.toLowerCase());
  if (at < 0) return <SourceText text={text} />;
  const end = at + part.length;
  return (
    <>
      <SourceText text={text.slice(0, at)} />
      <b>
        <SourceText text={text.slice(at, end)} />
      </b>
      <SourceText text={text.slice(end)} />
    </>
  );
}
