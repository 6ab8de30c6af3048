import { Quote } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useMemo } from 'react';
import { create } from 'zustand';
import {
  formatSignalNumbers,
  type IssueSpan,
  MAX_REASONS,
  pickReasons,
  type Reason,
  type SignalEvidence,
} from '../../../shared/evidence.ts';
import { MARK_TITLES, MARKS, type Mark } from '../../../shared/marks.ts';
import {
  describeRank,
  indexRanks,
  RELATION_CLAUSES,
  type RelatedChunk,
} from '../../../shared/related-chunks.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { getKeys } from '../../platform/keys.ts';
import { SourceText, Tooltip } from '../../ui/controls.tsx';
import { MARK_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { revealInIssue } from '../issue/index.ts';
import {
  getResponse,
  highlightReason,
  revealReason,
  select,
  toggleMark,
  useHighlightOnHover,
  useMarks,
  useSearch,
  useSelected,
  useSelectedResult,
} from '../search/index.ts';
import styles from './evidence.module.css';

/** Shows the reasons for the rank of the selected result, with links to the issue and the code, and the numbers under Details. */
export function EvidencePanel() {
  const chunk = useSelectedResult();
  const isSelected = useSelected() !== null;
  return (
    <section className={styles.panel} aria-label="Evidence">
      {chunk ? (
        <Evidence chunk={chunk} />
      ) : (
        <p className={styles.empty}>
          {isSelected
            ? 'The selected function is not in this ranking.'
            : 'Select a result to see why it is here.'}
        </p>
      )}
    </section>
  );
}

function Evidence({ chunk }: { chunk: RankedChunk }) {
  const { rank, address } = chunk;
  const signals = Object.entries(chunk.evidence)
    .filter(([, { contribution }]) => Math.abs(contribution) >= 0.005)
    .sort(([, a], [, b]) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const isOpen = useDetails(({ open }) => open);
  const reasons = pickReasons(chunk.evidence, MAX_REASONS);
  const shown = new Set(reasons.map(({ signal }) => signal));
  const others = pickReasons(chunk.evidence, signals.length).filter(
    ({ signal }) => !shown.has(signal),
  );
  const list = (some: readonly Reason[]) =>
    some.length > 0 && (
      <ul>
        {some.map((reason) => (
          <ReasonItem key={reason.signal} chunk={chunk} reason={reason} />
        ))}
      </ul>
    );
  return (
    <>
      <header className={styles.head}>
        <h3>
          <span className={styles.rank}>{rank}</span>
          <SourceText className="ellipsis" text={splitName(chunk).join('')} />
        </h3>
        <MarkToggles address={address} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Reasons">
        {list(reasons)}
        {chunk.related && <RelatedFunctions related={chunk.related} />}
        <details
          className={styles.details}
          open={isOpen}
          onToggle={({ currentTarget }) => useDetails.setState({ open: currentTarget.open })}
        >
          <summary>Details</summary>
          {list(others)}
          <Numbers chunk={chunk} signals={signals} />
        </details>
      </section>
    </>
  );
}

/** Remembers whether the numbers are shown, for all results. */
const useDetails = create<{ open: boolean }>(() => ({ open: false }));

/** A reason. Pointing at it highlights what it refers to in the issue and the code; a click scrolls there. */
function ReasonItem({ chunk, reason }: { chunk: RankedChunk; reason: Reason }) {
  const highlighted = { chunk, reason };
  return (
    <li className={styles.reason} {...useHighlightOnHover(highlighted)}>
      <i style={{ background: `var(--evidence-${reason.family})` }} />
      <div>
        <button
          type="button"
          className={styles.sentence}
          onFocus={() => highlightReason(highlighted)}
          onBlur={() => highlightReason(null)}
          onClick={() => revealReason(highlighted)}
        >
          <Sentence text={reason.sentence} />
        </button>
        <Quotes spans={reason.spans ?? []} />
      </div>
    </li>
  );
}

function Numbers({
  chunk: { score, probability },
  signals,
}: {
  chunk: RankedChunk;
  signals: [string, SignalEvidence][];
}) {
  const max = Math.max(...signals.map(([, { contribution }]) => Math.abs(contribution)), 1e-9);
  return (
    <>
      {probability !== undefined && (
        <p className={styles.probability}>
          Probability that the fix edits it: {percent(probability)} (all repositories)
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Signal</th>
            <th scope="col">Measured</th>
            <th scope="col" colSpan={2}>
              Contribution
            </th>
          </tr>
        </thead>
        <tbody>
          {signals.map(([signal, evidence]) => (
            <Signal key={signal} evidence={evidence} max={max} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Score
            </th>
            <td className={styles.number}>{score.toFixed(2)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

const percent = (probability: number): string =>
  probability < 0.01 ? 'less than 1%' : `${Math.round(100 * probability)}%`;

function Signal({ evidence, max }: { evidence: SignalEvidence; max: number }) {
  const { family, title, measured, contribution } = evidence;
  const numbers = formatSignalNumbers(evidence);
  const share = (50 * Math.abs(contribution)) / max;
  const from = contribution < 0 ? 50 - share : 50;
  return (
    <>
      <tr data-more={numbers !== '' || undefined}>
        <th scope="row">
          <i style={{ background: `var(--evidence-${family})` }} />
          {title}
        </th>
        <td className={styles.number}>{measured}</td>
        <td className={styles.barCell} aria-hidden="true">
          <span className={styles.bar}>
            <span
              data-against={contribution < 0 || undefined}
              style={{
                left: `${from}%`,
                width: `${share}%`,
                background: `var(--evidence-${family})`,
              }}
            />
          </span>
        </td>
        <td className={styles.number}>{formatSigned(contribution)}</td>
      </tr>
      {numbers && (
        <tr className={styles.more}>
          <td colSpan={4}>
            <SourceText text={numbers} />
          </td>
        </tr>
      )}
    </>
  );
}

const MAX_QUOTES = 8;
const MAX_QUOTE_LENGTH = 200;

/** Puts a quote on one line. */
const toOneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUOTE_LENGTH);

/** Quotes the parts of the issue that a reason is based on. A click shows the part in the issue. */
function Quotes({ spans }: { spans: readonly IssueSpan[] }) {
  return (
    <>
      {spans.slice(0, MAX_QUOTES).map((span) => (
        <button
          key={span.start}
          type="button"
          className={styles.quote}
          onClick={() => revealInIssue(span)}
        >
          <Quote size={10} aria-hidden="true" />
          <span className="visually-hidden">Show in the issue: </span>
          <SourceText className="ellipsis" text={toOneLine(span.text)} />
        </button>
      ))}
      {spans.length > MAX_QUOTES && ` and ${spans.length - MAX_QUOTES} more`}
    </>
  );
}

function MarkToggles({ address }: { address: string }) {
  const mark = useMarks(({ marks }) => marks.get(address)?.mark ?? '');
  return (
    <ToggleGroup.Root
      type="single"
      className={styles.marks}
      aria-label="Mark"
      value={mark}
      onValueChange={(now) => toggleMark([address], (now || mark) as Mark)}
    >
      {MARKS.map((each) => {
        const Icon = MARK_ICONS[each];
        return (
          <Tooltip key={each} text={MARK_TITLES[each]} keys={getKeys(`results.mark.${each}`)}>
            <ToggleGroup.Item value={each} aria-label={MARK_TITLES[each]} data-mark={each}>
              <Icon size={14} aria-hidden="true" />
            </ToggleGroup.Item>
          </Tooltip>
        );
      })}
    </ToggleGroup.Root>
  );
}

/** Formats a number with its sign; the true minus sign is as wide as the plus. */
const formatSigned = (x: number) => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`;

/** Lists functions that the same fix may have to edit. A click shows the function, even if it is not in the results. */
function RelatedFunctions({ related }: { related: readonly RelatedChunk[] }) {
  const results = useSearch((state) => getResponse(state)?.results);
  const getRank = useMemo(() => indexRanks(results ?? []), [results]);
  return (
    <section className={styles.related} aria-label="Related functions">
      <h4>Related functions</h4>
      <ul>
        {related.map((chunk) => (
          <li key={`${chunk.relation} ${chunk.address}`}>
            {RELATION_CLAUSES[chunk.relation]}{' '}
            <button type="button" className={styles.quote} onClick={() => select(chunk.address)}>
              <SourceText className="ellipsis" text={getShownName(chunk)} />
            </button>{' '}
            {describeRank(chunk, getRank)}
          </li>
        ))}
      </ul>
    </section>
  );
}
