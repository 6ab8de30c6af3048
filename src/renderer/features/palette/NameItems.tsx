import { Command as Cmdk } from 'cmdk';
import { useMemo } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { createNameMatcher, type NameMatch, parseNameQuery } from '../../../shared/name-match.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { useAnswer } from '../../platform/answer.ts';
import { focusPane, showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { revealLine } from '../preview/index.ts';
import { getResponse, select, useSearch } from '../search/index.ts';
import { MatchedText } from './MatchedText.tsx';
import styles from './palette.module.css';

const MAX_SHOWN = 100;

/** Lists functions and files whose name matches the typed text; without a text, the best results. */
export default function NameItems({
  text,
  onChoose,
}: {
  text: string;
  onChoose: (run: () => void) => void;
}) {
  const repository = useApp((state) => state.repository?.id);
  const best = useSearch((state) => getResponse(state)?.results);
  const query = useMemo(() => parseNameQuery(text), [text]);
  const match = useMemo(() => createNameMatcher(query), [query]);
  const typed = query.terms.length > 0;
  const asked =
    repository && typed ? { repository, request: { query: text, limit: MAX_SHOWN } } : null;
  const { answer: chunks, failure } = useAnswer('find', asked);
  const shown = typed ? chunks : (best ?? []).slice(0, 12);
  const go = ({ address, endLine }: ChunkSummary) =>
    onChoose(() => {
      if (query.line !== null && query.line <= endLine) revealLine(address, query.line);
      else select(address);
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
                <Line chunk={chunk} match={typed ? match(chunk) : null} line={query.line} />
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
            : 'Type letters of a name, or a file and a line: config.ts:12'}
        </div>
      )}
    </>
  );
}

interface LineProps {
  chunk: ChunkSummary;
  match: NameMatch | null;
  /** Line to go to; null for the chunk's first line. */
  line: number | null;
}

function Line({ chunk, match, line }: LineProps) {
  const { kind, path, startLine, endLine } = chunk;
  const Icon = KIND_ICONS[kind];
  const isFile = kind === 'module';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const inPath = match?.path ?? [];
  // A file may be too short to have the line.
  const shownLine = line !== null && line <= endLine ? line : isFile ? null : startLine;
  return (
    <>
      <Icon size={15} aria-label={isFile ? 'file' : kind} className={styles.kind} />
      <span className={styles.name}>
        {isFile ? (
          <MatchedText
            text={path.slice(folder.length)}
            offsets={inPath.map((offset) => offset - folder.length)}
          />
        ) : (
          <MatchedText text={getShownName(chunk)} offsets={match?.name ?? []} />
        )}
      </span>
      <span className={styles.path}>
        <MatchedText text={path} offsets={inPath} />
        {shownLine !== null && `:${shownLine}`}
      </span>
    </>
  );
}
