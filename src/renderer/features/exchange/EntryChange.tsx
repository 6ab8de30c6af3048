import { useMemo } from 'react';
import { type DiffHunk, diffCode, placedCode } from '../../../shared/code-diff.ts';
import { inSentences } from '../../../shared/errors.ts';
import type { ImportedList } from '../../../shared/lists.ts';
import { visibleLines } from '../../../shared/quoted.ts';
import { useAnswer } from '../../platform/answer.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Source, Spinner } from '../../ui/controls.tsx';
import styles from './exchange.module.css';

type Entry = ImportedList['entries'][number];

interface Props {
  entry: Entry;
  says: string;
  onShow: () => void;
}

/** Shows how an entry has changed; its code only if the list has it. */
export function EntryChange({ entry, says, onShow }: Props) {
  const { was, now, code } = entry;
  const isChanged = entry.state.endsWith('changed');
  return (
    <section className={styles.change} aria-label="What changed">
      <div className={styles.changeHead}>
        <p role="status" className="hint">
          <Source text={was.kind === 'module' ? was.path : was.qualifiedName} />: {says}
        </p>
        <Button disabled={!now} onClick={onShow}>
          Show in the preview
        </Button>
      </div>
      {isChanged &&
        (code === null ? (
          <p className="hint">
            The list has no code to compare with. Whoever makes it can add it: “With the code of
            each result”, or <code>locus export --code</code>.
          </p>
        ) : (
          <Difference entry={entry} code={code} />
        ))}
    </section>
  );
}

/** More than anybody reads here. */
const LINES_SHOWN = 2000;

/** Against the code as it is now, also where it was edited after the list was opened. */
function Difference({ entry: { was, now }, code }: { entry: Entry; code: string }) {
  const repository = useApp((state) => state.repository?.id);
  const asked = repository && now ? { repository, request: { chunk: now.address } } : null;
  const { answer: shown, failure } = useAnswer('show', asked);
  const hunks = useMemo(
    () => shown && diffCode(placedCode(code, was), placedCode(shown.code, shown)),
    [shown, code, was],
  );
  if (failure) {
    return (
      <p role="alert" className={styles.failure}>
        <Source text={inSentences(failure)} />
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
  if (hunks.length === 0) return <p className="hint">Every line is as it was.</p>;
  const all = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section className={styles.diff} aria-label="Difference" tabIndex={0} dir="ltr">
      {firstLines(hunks, LINES_SHOWN).map((hunk) => (
        <Hunk
          key={`${hunk.was.start} ${hunk.now.start}`}
          hunk={hunk}
          hasNumbers={was.kind !== 'module'}
        />
      ))}
      {all > LINES_SHOWN && <p className="hint">… and {all - LINES_SHOWN} more lines</p>}
    </section>
  );
}

function firstLines(hunks: readonly DiffHunk[], most: number): DiffHunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length > 0 ? [{ ...hunk, lines }] : [];
  });
}

const SIGNS = { same: ' ', removed: '−', added: '+' };
const ELEMENTS = { same: 'div', removed: 'del', added: 'ins' } as const;

/** Lines of a file then and now, each with its numbers; those of a module are no run of lines. */
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
            <code>{visibleLines(text)}</code>
          </Line>
        );
      })}
    </div>
  );
}
