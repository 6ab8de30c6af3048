import { Quote } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useMemo } from 'react';
import { create } from 'zustand';
import { COMPANIONS_SAID, type Companion, ranksOf, standing } from '../../../shared/companions.ts';
import {
  type IssueSpan,
  numbersOf,
  type Reason,
  reasonsOf,
  type SignalEvidence,
} from '../../../shared/evidence.ts';
import { MARK_TITLES, MARKS, type Mark } from '../../../shared/marks.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { keysOf } from '../../platform/keys.ts';
import { Source, Tooltip } from '../../ui/controls.tsx';
import { MARK_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { revealInIssue } from '../issue/index.ts';
import {
  lightUp,
  responseOf,
  revealLit,
  select,
  toggleMark,
  useMarks,
  usePointedAt,
  useSearch,
  useSelected,
  useSelectedResult,
} from '../search/index.ts';
import styles from './evidence.module.css';

/** Why the selected chunk is where it is: in sentences, with the way to what they speak of; the numbers are behind Details. */
export function EvidencePanel() {
  const chunk = useSelectedResult();
  const isSelected = useSelected() !== null;
  return (
    <section className={styles.panel} aria-label="Evidence">
      {chunk ? (
        <Evidence chunk={chunk} />
      ) : (
        <p className={styles.nothing}>
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
  const details = useDetails(({ open }) => open);
  return (
    <>
      <header className={styles.head}>
        <h3>
          <span className={styles.rank}>{rank}</span>
          <Source className="ellipsis" text={splitName(chunk).join('')} />
        </h3>
        <MarkToggles address={address} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Reasons">
        <ul>
          {reasonsOf(chunk.evidence, signals.length).map((reason) => (
            <Said key={reason.signal} chunk={chunk} reason={reason} />
          ))}
        </ul>
        {chunk.companions && <Companions companions={chunk.companions} />}
        <details
          className={styles.details}
          open={details}
          onToggle={({ currentTarget }) => useDetails.setState({ open: currentTarget.open })}
        >
          <summary>Details</summary>
          <Numbers chunk={chunk} signals={signals} />
        </details>
      </section>
    </>
  );
}

/** True if the numbers are shown, for this result and the next. */
const useDetails = create<{ open: boolean }>(() => ({ open: false }));

/** A reason; what it speaks of lights up in the issue and in the code, and a click brings that into view. */
function Said({ chunk, reason }: { chunk: RankedChunk; reason: Reason }) {
  const lit = { chunk, reason };
  return (
    <li className={styles.said} {...usePointedAt(lit)}>
      <i style={{ background: `var(--evidence-${reason.family})` }} />
      <div>
        <button
          type="button"
          className={styles.sentence}
          onFocus={() => lightUp(lit)}
          onBlur={() => lightUp(null)}
          onClick={() => revealLit(lit)}
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
  const most = Math.max(...signals.map(([, { contribution }]) => Math.abs(contribution)), 1e-9);
  return (
    <>
      {probability !== undefined && (
        <p className={styles.probability}>
          The one to edit with a probability of {percent(probability)}, of all repositories.
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Signal</th>
            <th scope="col">Measured</th>
            <th scope="col" colSpan={2}>
              Adds to the score
            </th>
          </tr>
        </thead>
        <tbody>
          {signals.map(([signal, evidence]) => (
            <Signal key={signal} evidence={evidence} most={most} />
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

function Signal({ evidence, most }: { evidence: SignalEvidence; most: number }) {
  const { family, title, measured, contribution } = evidence;
  const numbers = numbersOf(evidence);
  const share = (50 * Math.abs(contribution)) / most;
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
        <td className={styles.number}>{signed(contribution)}</td>
      </tr>
      {numbers && (
        <tr className={styles.more}>
          <td colSpan={4}>
            <Source text={numbers} />
          </td>
        </tr>
      )}
    </>
  );
}

const QUOTED = 8;
const QUOTED_LENGTH = 200;

/** On one line; what has no room there ends in an ellipsis. */
const quoted = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, QUOTED_LENGTH);

/** What in the issue says so; each leads to its place there. */
function Quotes({ spans }: { spans: readonly IssueSpan[] }) {
  return (
    <>
      {spans.slice(0, QUOTED).map((span) => (
        <button
          key={span.start}
          type="button"
          className={styles.quote}
          onClick={() => revealInIssue(span)}
        >
          <Quote size={10} aria-hidden="true" />
          <span className="unseen">Show in the issue: </span>
          <Source className="ellipsis" text={quoted(span.text)} />
        </button>
      ))}
      {spans.length > QUOTED && ` and ${spans.length - QUOTED} more`}
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
          <Tooltip key={each} text={MARK_TITLES[each]} keys={keysOf(`results.mark.${each}`)}>
            <ToggleGroup.Item value={each} aria-label={MARK_TITLES[each]} data-mark={each}>
              <Icon size={14} aria-hidden="true" />
            </ToggleGroup.Item>
          </Tooltip>
        );
      })}
    </ToggleGroup.Root>
  );
}

/** With a true minus sign, which is as wide as the plus. */
const signed = (x: number) => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`;

/** Lists functions that a fix of this result may have to edit too. Each leads to its code, even if it is not in the results. */
function Companions({ companions }: { companions: readonly Companion[] }) {
  const results = useSearch((state) => responseOf(state)?.results);
  const rankOf = useMemo(() => ranksOf(results ?? []), [results]);
  return (
    <section className={styles.companions} aria-label="Goes with">
      <h4>Goes with</h4>
      <ul>
        {companions.map((companion) => (
          <li key={`${companion.relation} ${companion.address}`}>
            {COMPANIONS_SAID[companion.relation]}{' '}
            <button
              type="button"
              className={styles.quote}
              onClick={() => select(companion.address)}
            >
              <Source className="ellipsis" text={companion.qualifiedName} />
            </button>{' '}
            {standing(companion, rankOf)}
          </li>
        ))}
      </ul>
    </section>
  );
}
