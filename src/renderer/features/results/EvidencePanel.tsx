import { Quote } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { type IssueSpan, numbersOf, type SignalEvidence } from '../../../shared/evidence.ts';
import { MARK_TITLES, MARKS, type Mark } from '../../../shared/marks.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { keysOf } from '../../platform/keys.ts';
import { Source, Tooltip } from '../../ui/controls.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { revealInIssue } from '../issue/index.ts';
import { toggleMark, useMarks, useSelectedResult } from '../search/index.ts';
import styles from './evidence.module.css';
import { MARK_ICONS } from './marks-look.ts';

/** Why the selected chunk is where it is: each signal's number, what it adds to the score, and what in the issue says so. */
export function EvidencePanel() {
  const chunk = useSelectedResult();
  return (
    <section className={styles.panel} aria-label="Evidence">
      {chunk ? (
        <Evidence chunk={chunk} />
      ) : (
        <p className={styles.nothing}>The selected function is not in this ranking.</p>
      )}
    </section>
  );
}

function Evidence({ chunk }: { chunk: RankedChunk }) {
  const { qualifiedName, rank, score, address } = chunk;
  const signals = Object.entries(chunk.evidence)
    .filter(([, { contribution }]) => Math.abs(contribution) >= 0.005)
    .sort(([, a], [, b]) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const most = Math.max(...signals.map(([, { contribution }]) => Math.abs(contribution)), 1e-9);
  return (
    <>
      <header className={styles.head}>
        <h3>
          <span className={styles.rank}>{rank}</span>
          <Source className={styles.name} text={qualifiedName} />
        </h3>
        <MarkToggles address={address} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Signals">
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
      </section>
    </>
  );
}

function Signal({ evidence, most }: { evidence: SignalEvidence; most: number }) {
  const { family, title, measured, contribution, sentence, spans = [] } = evidence;
  const said = [sentence, numbersOf(evidence)].filter(Boolean).join(' · ');
  const share = (50 * Math.abs(contribution)) / most;
  const from = contribution < 0 ? 50 - share : 50;
  return (
    <>
      <tr data-more={said || spans.length > 0 ? true : undefined}>
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
      {(said || spans.length > 0) && (
        <tr className={styles.more}>
          <td colSpan={4}>
            <Sentence text={said} />
            <Quotes spans={spans} />
          </td>
        </tr>
      )}
    </>
  );
}

const QUOTED = 8;

/** What in the issue says so; each leads to its place there. */
function Quotes({ spans }: { spans: readonly IssueSpan[] }) {
  return (
    <>
      {spans.slice(0, QUOTED).map((span) => (
        <button
          key={span.start}
          type="button"
          className={styles.quote}
          aria-label={`Show in the issue: ${span.text.slice(0, 80)}`}
          onClick={() => revealInIssue(span)}
        >
          <Quote size={10} aria-hidden="true" />
          <Source text={span.text.replace(/\s+/g, ' ').trim().slice(0, 60)} />
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
