import { Command as Cmdk } from 'cmdk';
import { useEffect, useState } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { focusPane, showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { responseOf, select, useSearch } from '../search/index.ts';
import styles from './palette.module.css';

const SHOWN = 100;

/** Chunks and files whose name holds what was typed; before that, the best of the list. */
export function NameItems({
  text,
  onChoose,
}: {
  text: string;
  onChoose: (run: () => void) => void;
}) {
  const { chunks, failure } = useFound(text);
  const best = useSearch((state) => responseOf(state)?.results);
  const typed = text.trim() !== '';
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
                ? shown.length === SHOWN
                  ? `First ${SHOWN}`
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
            ? 'Nothing here has this in its name.'
            : 'Type a part of a name; with a slash, a part of a path.'}
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
        <Marked
          text={isFile ? path.slice(path.lastIndexOf('/') + 1) : qualifiedName}
          part={typed}
        />
      </span>
      <span className={styles.path}>
        <Source text={isFile ? path : `${path}:${startLine}`} />
      </span>
    </>
  );
}

/** The text with the last place that holds the part in bold: the simple name stands at the end. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : text.toLowerCase().lastIndexOf(part.toLowerCase());
  if (at < 0) return <Source text={text} />;
  const end = at + part.length;
  return (
    <>
      <Source text={text.slice(0, at)} />
      <b>
        <Source text={text.slice(at, end)} />
      </b>
      <Source text={text.slice(end)} />
    </>
  );
}

interface Found {
  /** Null before the first answer. */
  chunks: ChunkSummary[] | null;
  failure: Failure | null;
}

/** Asked anew with every letter; the answer before stays until the next is there. */
function useFound(text: string): Found {
  const repository = useApp((state) => state.repository?.id);
  const [found, setFound] = useState<Found>({ chunks: null, failure: null });
  useEffect(() => {
    if (!repository || text.trim() === '') return setFound({ chunks: null, failure: null });
    const controller = new AbortController();
    const { signal } = controller;
    engine.call('find', { repository, request: { query: text, limit: SHOWN } }, { signal }).then(
      (chunks) => setFound({ chunks, failure: null }),
      (failure: Failure) => {
        if (!isCancelled(failure)) setFound({ chunks: [], failure });
      },
    );
    return () => controller.abort();
  }, [repository, text]);
  return found;
}
