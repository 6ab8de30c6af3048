import { StickyNote } from 'lucide-react';
import { type CSSProperties, type MouseEvent, memo, useMemo } from 'react';
import type { Snippet } from '../../../shared/detail.ts';
import { type Evidence, type Reason, reasonsOf } from '../../../shared/evidence.ts';
import { MARK_TITLES, MARKS, type Mark, type MarkedChunk } from '../../../shared/marks.ts';
import { visible } from '../../../shared/quoted.ts';
import { apart } from '../../../shared/several.ts';
import { focusPane } from '../../platform/panes.ts';
import { Source, Tooltip } from '../../ui/controls.tsx';
import { KIND_ICONS, MARK_ICONS } from '../../ui/kinds.ts';
import { splitName, splitPath } from '../../ui/names.ts';
import rowStyles from '../../ui/rows.module.css';
import { Sentence } from '../../ui/Sentence.tsx';
import { toggleMark, usePointedAt } from '../search/index.ts';
import { VerdictLine } from '../verify/index.ts';
import { inWords, sharesOf, totalOf } from './evidence.ts';
import styles from './results.module.css';
import type { ChunkRow, Listed } from './rows.ts';
import { SnippetLines } from './SnippetLines.tsx';

/** Reasons on a row. */
const REASONS = 2;

interface Props {
  id: string;
  row: ChunkRow;
  /** Rows in the whole list, of which only some are in the page. */
  count: number;
  most: number;
  /** Below its file's name: the path goes without saying. */
  grouped: boolean;
  active: boolean;
  selected: boolean;
  /** Its note is being written below it. */
  editing: boolean;
  /** Null while it is not known; left out where there is none. */
  snippet: Snippet | null | undefined;
  /** Wide enough for the snippet beside all else. */
  wide: boolean;
  style: CSSProperties;
  onPick: (event: MouseEvent, row: ChunkRow) => void;
}

export const ResultRow = memo(
  function ResultRow({
    id,
    row,
    count,
    most,
    grouped,
    active,
    selected,
    snippet,
    wide,
    ...rest
  }: Props) {
    const { chunk, marked, verified, position } = row;
    const { rank, kind, role, evidence } = chunk;
    const Icon = KIND_ICONS[kind];
    const [owner, name] = splitName(chunk);
    const reasons = useMemo(() => (evidence ? reasonsOf(evidence, REASONS) : []), [evidence]);
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
        data-verified={verified?.verdict ?? undefined}
        style={rest.style}
        onClick={(event) => rest.onPick(event, row)}
        onDoubleClick={() => focusPane('side')}
        onContextMenu={(event) => rest.onPick(event, row)}
      >
        <span className={styles.rank}>
          {rank ?? '–'}
          <Moved chunk={chunk} />
        </span>
        <span className={styles.kind} title={kind}>
          <Icon size={15} aria-label={kind} />
        </span>
        <span className={styles.name}>
          {owner && <Source className={rowStyles.owner} text={owner} />}
          <Source className={rowStyles.simple} text={name} />
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
        <Place chunk={chunk} grouped={grouped} />
        {marked?.mark && <MarkIcon mark={marked.mark} />}
        {evidence ? (
          <EvidenceBar evidence={evidence} most={most} />
        ) : (
          <span className={styles.unranked}>not ranked</span>
        )}
        {/* The row's description, not a part of its name. */}
        <span id={`${id}-why`} className={styles.why} aria-hidden="true">
          {reasons.map((reason, at) => (
            <Said key={reason.signal} chunk={chunk} reason={reason} first={at === 0} />
          ))}
        </span>
        {snippet !== undefined && <SnippetLines snippet={snippet} wide={wide} />}
        {verified && <VerdictLine verified={verified} />}
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
  // `style` is made anew by each drawing of the list; the rest keeps its identity.
  (a, b) =>
    a.style.height === b.style.height &&
    a.style.translate === b.style.translate &&
    (Object.keys(b) as (keyof Props)[]).every((key) => key === 'style' || a[key] === b[key]),
);

function Moved({ chunk: { rank, rankWithoutMarks: before } }: { chunk: Listed }) {
  if (rank === undefined || before === undefined || before === rank) return null;
  const [look, says] =
    before === null
      ? ['new', 'Marks brought it into the list']
      : [
          before > rank ? `↑${before - rank}` : `↓${rank - before}`,
          `Marks moved it from rank ${before} to ${rank}`,
        ];
  return (
    <span className={styles.moved} role="img" aria-label={says} title={says}>
      {look}
    </span>
  );
}

function Place({ chunk, grouped }: { chunk: Listed; grouped: boolean }) {
  const { path, kind, startLine, endLine, repository, package: ofPackage } = chunk;
  const own = apart(path, (name) => name === repository);
  const [folder, file] = splitPath(own?.path ?? path);
  if (grouped) {
    const lines = kind === 'module' ? 'outside of definitions' : `lines ${startLine}–${endLine}`;
    return (
      <span className={styles.path}>
        <span className="unseen">{path}</span>
        {lines}
      </span>
    );
  }
  return (
    <span className={styles.path}>
      {own && (
        <span className={styles.repository} title={`In the repository ${visible(own.name)}`}>
          <Source text={own.name} />
        </span>
      )}
      <Source className={styles.folder} text={folder} />
      <Source className="ellipsis" text={file} />
      {startLine > 0 && <span className="rigid">:{startLine}</span>}
      {ofPackage !== undefined && (
        <span className={styles.package} title={`In the package ${visible(ofPackage)}`}>
          <Source text={ofPackage} />
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

/** For the mouse; the keyboard has single keys for the same, and the menu has them for everybody. */
function QuickMarks({ address, mark }: { address: string; mark: Mark | null }) {
  return (
    <span className={styles.quick} aria-hidden="true">
      {MARKS.map((each) => {
        const Icon = MARK_ICONS[each];
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: hidden from assistive technology, which has the commands
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has e, c and x
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
  moved: 'It has moved since it was marked',
  changed: 'Its code has changed since it was marked',
  'moved and changed': 'It has moved and changed since it was marked',
  gone: 'It is not in the repository any more',
};

/** The evidence for a chunk as a stacked bar, which says what it shows; `most` is the length of a full one. */
function EvidenceBar({ evidence, most }: { evidence: Evidence; most: number }) {
  const shares = sharesOf(evidence);
  const label = inWords(shares);
  return (
    <Tooltip text={label}>
      <span className={styles.bar} role="img" aria-label={label}>
        <span className={styles.track}>
          <span className={styles.filled} style={{ width: `${(100 * totalOf(shares)) / most}%` }}>
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

/** A reason why a chunk is in the list; what it speaks of lights up under the mouse. */
function Said({ chunk, reason, first }: { chunk: Listed; reason: Reason; first: boolean }) {
  return (
    <span className={styles.reason} {...usePointedAt({ chunk, reason })}>
      {!first && <span className={styles.dot}> · </span>}
      <Sentence text={reason.sentence} />
    </span>
  );
}
