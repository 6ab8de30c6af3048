import { StickyNote } from 'lucide-react';
import { type CSSProperties, type MouseEvent, memo, Suspense, useMemo } from 'react';
import type { Snippet } from '../../../shared/detail.ts';
import {
  type Evidence,
  MAX_ROW_REASONS,
  pickReasons,
  type Reason,
} from '../../../shared/evidence.ts';
import { formatCell } from '../../../shared/format-cell.ts';
import { MARK_TITLES, MARKS, type Mark, type MarkedChunk } from '../../../shared/marks.ts';
import { escapeHidden } from '../../../shared/quote.ts';
import { splitMember } from '../../../shared/workspace.ts';
import { focusPane } from '../../platform/panes.ts';
import { SourceText, Tooltip } from '../../ui/controls.tsx';
import { KIND_ICONS, MARK_ICONS } from '../../ui/kinds.ts';
import { splitName, splitPath } from '../../ui/names.ts';
import rowStyles from '../../ui/rows.module.css';
import { Sentence } from '../../ui/Sentence.tsx';
import { CheckedLine } from '../check/index.ts';
import { toggleMark, useHighlightOnHover } from '../search/index.ts';
import { describeShares, sumByFamily, sumShares } from './evidence.ts';
import styles from './results.module.css';
import type { ListedChunk, ResultChunkRow } from './rows.ts';
import { SnippetLines } from './SnippetLines.tsx';

interface Props {
  id: string;
  row: ResultChunkRow;
  /** Number of rows in the whole list, of which only some are rendered. */
  count: number;
  /** Largest total contribution in the list, which is the length of a full evidence bar. */
  maxTotal: number;
  /** True if the row is below its file's header, and needs no path. */
  grouped: boolean;
  active: boolean;
  selected: boolean;
  /** True while its note is edited below it. */
  editing: boolean;
  /** Null while it is loading; undefined if the row has none. */
  snippet: Snippet | null | undefined;
  /** True if the row is wide enough to show the snippet on the right. */
  wide: boolean;
  style: CSSProperties;
  onPick: (event: MouseEvent, row: ResultChunkRow) => void;
}

export const ResultRow = memo(
  function ResultRow({
    id,
    row,
    count,
    maxTotal,
    grouped,
    active,
    selected,
    snippet,
    wide,
    ...rest
  }: Props) {
    const { chunk, marked, checked, position } = row;
    const { rank, kind, role, evidence } = chunk;
    const Icon = KIND_ICONS[kind];
    const [owner, name] = splitName(chunk);
    const reasons = useMemo(
      () => (evidence ? pickReasons(evidence, MAX_ROW_REASONS) : []),
      [evidence],
    );
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
      // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
      <div
        id={id}
        role="option"
        aria-describedby={evidence && `${id}-why`}
        aria-selected={selected}
        aria-posinset={position}
        aria-setsize={count}
        className={styles.row}
        data-name={chunk.qualifiedName}
        data-key={row.key}
        data-active={active || undefined}
        data-mark={marked?.mark ?? undefined}
        data-state={marked?.state}
        data-checked={checked?.isEdit || undefined}
        style={rest.style}
        onClick={(event) => rest.onPick(event, row)}
        onDoubleClick={() => focusPane('side')}
        onContextMenu={(event) => rest.onPick(event, row)}
      >
        <span className={styles.rank}>
          {rank ?? '–'}
          <RankChange chunk={chunk} />
        </span>
        <span className={styles.kind} title={kind}>
          <Icon size={15} aria-label={kind} />
        </span>
        <span className={styles.name}>
          {owner && <SourceText className={rowStyles.owner} text={owner} />}
          <SourceText className={rowStyles.simple} text={name} />
          {role !== 'source' && <span className={styles.tag}>{role}</span>}
          {marked && STATES[marked.state] && (
            <span
              className={styles.tag}
              data-state={marked.state}
              title={STATES[marked.state] ?? undefined}
            >
              {marked.state}
            </span>
          )}
        </span>
        <RowLocation chunk={chunk} grouped={grouped} />
        {marked?.mark && <MarkIcon mark={marked.mark} />}
        {evidence ? (
          <EvidenceBar evidence={evidence} maxTotal={maxTotal} />
        ) : (
          <span className={styles.unranked}>not ranked</span>
        )}
        {/* The row's accessible description, not part of its name. */}
        <span id={`${id}-why`} className={styles.why} aria-hidden="true">
          {reasons.map((reason, at) => (
            <ReasonText key={reason.signal} chunk={chunk} reason={reason} isFirst={at === 0} />
          ))}
        </span>
        {snippet !== undefined && <SnippetLines snippet={snippet} wide={wide} />}
        <Suspense fallback={null}>{checked?.isEdit && <CheckedLine checked={checked} />}</Suspense>
        {marked?.note && !rest.editing && (
          <span className={styles.note}>
            <StickyNote size={12} aria-label="Note:" />
            <span className="ellipsis">{marked.note}</span>
          </span>
        )}
        <QuickMarks address={chunk.address} mark={marked?.mark ?? null} />
      </div>
    );
  },
  // `style` is a new object in each render of the list; the other props keep their identity.
  (a, b) =>
    a.style.height === b.style.height &&
    a.style.translate === b.style.translate &&
    (Object.keys(b) as (keyof Props)[]).every((key) => key === 'style' || a[key] === b[key]),
);

function RankChange({ chunk: { rank, rankWithoutMarks: before } }: { chunk: ListedChunk }) {
  if (rank === undefined || before === undefined || before === rank) return null;
  const [text, title] =
    before === null
      ? ['new', 'Added to the list by your marks']
      : before > rank
        ? [`↑${before - rank}`, `Moved up ${before - rank} by your marks, from rank ${before}`]
        : [`↓${rank - before}`, `Moved down ${rank - before} by your marks, from rank ${before}`];
  return (
    <span className={styles.moved} role="img" aria-label={title} title={title}>
      {text}
    </span>
  );
}

function RowLocation({ chunk, grouped }: { chunk: ListedChunk; grouped: boolean }) {
  const { path, kind, startLine, endLine, repository, package: ofPackage } = chunk;
  const own = splitMember(path, (name) => name === repository);
  const [folder, file] = splitPath(own?.path ?? path);
  if (grouped) {
    const lines =
      kind === 'module' ? 'module code' : `lines ${startLine}–${endLine}${formatCell(chunk)}`;
    return (
      <span className={styles.path}>
        <span className="visually-hidden">{path}</span>
        {lines}
      </span>
    );
  }
  return (
    <span className={styles.path}>
      {own && (
        <span className={styles.repository} title={`In the repository ${escapeHidden(own.name)}`}>
          <SourceText text={own.name} />
        </span>
      )}
      <SourceText className={styles.folder} text={folder} />
      <SourceText className="ellipsis" text={file} />
      {startLine > 0 && (
        <span className="rigid">
          :{startLine}
          {formatCell(chunk)}
        </span>
      )}
      {ofPackage !== undefined && (
        <span className={styles.package} title={`In the package ${escapeHidden(ofPackage)}`}>
          <SourceText text={ofPackage} />
        </span>
      )}
    </span>
  );
}

function MarkIcon({ mark }: { mark: Mark }) {
  const Icon = MARK_ICONS[mark];
  return (
    <span className={styles.mark} data-mark={mark} title={MARK_TITLES[mark]}>
      <Icon size={14} aria-label={`Marked: ${MARK_TITLES[mark]}`} />
    </span>
  );
}

/** Mark buttons for the mouse. The same actions have keys and are in the menu. */
function QuickMarks({ address, mark }: { address: string; mark: Mark | null }) {
  return (
    <span className={styles.quick} aria-hidden="true">
      {MARKS.map((each) => {
        const Icon = MARK_ICONS[each];
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: hidden from assistive technology, which uses the commands
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has e, r and x
          <span
            key={each}
            title={MARK_TITLES[each]}
            data-mark={each}
            data-on={each === mark || undefined}
            onClick={(event) => {
              event.stopPropagation();
              toggleMark([address], each);
            }}
          >
            <Icon size={14} />
          </span>
        );
      })}
    </span>
  );
}

const STATES: Record<MarkedChunk['state'], string | null> = {
  same: null,
  moved: 'Moved since it was marked',
  changed: 'Changed since it was marked',
  'moved and changed': 'Moved and changed since it was marked',
  gone: 'No longer in the repository',
};

/** Shows the evidence for a chunk as a stacked bar with a label. `maxTotal` is the length of a full bar. */
function EvidenceBar({ evidence, maxTotal }: { evidence: Evidence; maxTotal: number }) {
  const shares = sumByFamily(evidence);
  const label = describeShares(shares);
  return (
    <Tooltip text={label}>
      <span className={styles.bar} role="img" aria-label={label}>
        <span className={styles.track}>
          <span
            className={styles.filled}
            style={{ width: `${(100 * sumShares(shares)) / maxTotal}%` }}
          >
            {shares.map(({ family, contribution }) => (
              <span
                key={family}
                style={{ flexGrow: contribution, background: `var(--evidence-${family})` }}
              />
            ))}
          </span>
        </span>
      </span>
    </Tooltip>
  );
}

/** A reason for a result. Pointing at it highlights what it refers to. */
function ReasonText({
  chunk,
  reason,
  isFirst,
}: {
  chunk: ListedChunk;
  reason: Reason;
  isFirst: boolean;
}) {
  return (
    <span className={styles.reason} {...useHighlightOnHover({ chunk, reason })}>
      {!isFirst && <span className={styles.dot}> · </span>}
      <Sentence text={reason.sentence} />
    </span>
  );
}
