import { useMemo } from 'react';
import { type DiffHunk, diffCode, numberCode } from '../../../shared/code-diff.ts';
import { formatFailure } from '../../../shared/errors.ts';
import type { ImportedList } from '../../../shared/lists.ts';
import { escapeHiddenLines } from '../../../shared/quote.ts';
import { useAnswer } from '../../platform/answer.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import styles from './exchange.module.css';

type Entry = ImportedList['entries'][number];

interface Props {
  entry: Entry;
  /** Description of the entry's state, such as "same code, other location". */
  description: string;
  onShow: () => void;
}

/** Shows how an entry has changed, with a diff if the list includes its code. */
export function EntryChange({ entry, description, onShow }: Props) {
  const { was, now, code } = entry;
  const isChanged = entry.state.endsWith('changed');
  return (
    <section className={styles.change} aria-label="What changed">
      <div className={styles.changeHead}>
        <p role="status" className="hint">
          <SourceText text={was.kind === 'module' ? was.path : was.qualifiedName} />: {description}
        </p>
        <Button disabled={!now} onClick={onShow}>
          Show in preview
        </Button>
      </div>
      {isChanged &&
        (code === null ? (
          <p className="hint">
            The list has no code to compare with. To include code, export the list with “Include
            code”, or run <code>locus export --code</code>.
          </p>
        ) : (
          <Difference entry={entry} code={code} />
        ))}
    </section>
  );
}

const MAX_LINES = 2000;

/** Compares with the current code, even if it was edited after the list was opened. */
function Difference({ entry: { was, now }, code }: { entry: Entry; code: string }) {
  const repository = useApp((state) => state.repository?.id);
  const params = repository && now ? { repository, request: { chunk: now.address } } : null;
  const { answer: current, failure } = useAnswer('show', params);
  const hunks = useMemo(
    () => current && diffCode(numberCode(code, was), numberCode(current.code, current)),
    [current, code, was],
  );
  if (failure) {
    return (
      <p role="alert" className={styles.failure}>
        <SourceText text={formatFailure(failure)} />
      </p>
    );
  }
  if (!hunks) {
    return (
      <p>
        <Spinner />
      </p>
    );
  }
  if (hunks.length === 0) return <p className="hint">No line has changed.</p>;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={styles.diff} aria-label="Difference" tabIndex={0} dir="ltr">
      {takeLines(hunks, MAX_LINES).map((hunk) => (
        <Hunk
          key={`${hunk.was.start} ${hunk.now.start}`}
          hunk={hunk}
          hasNumbers={was.kind !== 'module'}
        />
      ))}
      {total > MAX_LINES && <p className="hint">… and {total - MAX_LINES} more lines</p>}
    </section>
  );
}

/** Returns the first `max` lines of the hunks. */
function takeLines(hunks: readonly DiffHunk[], max: number): DiffHunk[] {
  let left = max;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length > 0 ? [{ ...hunk, lines }] : [];
  });
}

const SIGNS = { same: ' ', removed: '−', added: '+' };
const ELEMENTS = { same: 'div', removed: 'del', added: 'ins' } as const;

/** Shows changed lines with their old and new line numbers. Module code isn't contiguous, so it has no numbers. */
function Hunk({ hunk, hasNumbers }: { hunk: DiffHunk; hasNumbers: boolean }) {
  return (
    <div className={styles.hunk}>
      {hunk.lines.map(({ is, text, was, now }) => {
        const Line = ELEMENTS[is];
        return (
          <Line key={`${was} ${now}`}>
            <i>{hasNumbers && was}</i>
            <i>{hasNumbers && now}</i>
            <b>{SIGNS[is]}</b>
            <code>{escapeHiddenLines(text)}</code>
          </Line>
        );
      })}
    </div>
  );
}
