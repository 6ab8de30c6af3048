import { Copy, MessageSquareShare, Save } from 'lucide-react';
import { useState } from 'react';
import { inSentences } from '../../../shared/errors.ts';
import { DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS } from '../../../shared/limits.ts';
import type { ExportedList } from '../../../shared/lists.ts';
import { visibleLines } from '../../../shared/quoted.ts';
import { useAnswer } from '../../platform/answer.ts';
import { desktop } from '../../platform/host.ts';
import { focusAfterDialog } from '../../platform/panes.ts';
import { Button, Dialog, Source, Spinner } from '../../ui/controls.tsx';
import { counted, number } from '../../ui/counts.ts';
import { Segments } from '../../ui/fields.tsx';
import { useBest, useMarkedToActOn } from '../results/index.ts';
import styles from './exchange.module.css';
import { type ExportChoice, saveList, usePreview } from './export.ts';
import { PostPanel } from './PostPanel.tsx';

/** The list as a file: what is in it, in which form, and how it will look. */
export default function ExportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      title="Export the list"
      size="large"
      open={open}
      onClose={onClose}
      onClosed={() => focusAfterDialog(null)}
    >
      <Export />
    </Dialog>
  );
}

const FORMATS = [
  ['markdown', 'Markdown', 'For an issue, a pull request or a chat.'],
  ['json', 'JSON', 'Whole, with evidence: Locus opens it again, here or at a colleague’s.'],
  ['csv', 'CSV', 'For spreadsheets.'],
  ['sarif', 'SARIF', 'For code scanning views and editors.'],
  [
    'prompt',
    'Prompt',
    'For a language model: the issue and the code, whole functions only, as many as fit.',
  ],
] as const;

function Export() {
  const marked = useMarkedToActOn();
  const [what, setWhat] = useState<'marked' | 'top' | null>(null);
  const [top, setTop] = useState(10);
  const [format, setFormat] = useState<ExportChoice['format']>('markdown');
  const [code, setCode] = useState(false);
  const [links, setLinks] = useState(false);
  const [tokens, setTokens] = useState(DEFAULT_TOKENS);
  const { best, found } = useBest(top);
  const { answer: hasGh = false } = useAnswer('post.gh', {});
  /** Text that was on the screen when the user chose to post it. */
  const [toPost, setToPost] = useState<string | null>(null);

  const chosen = what ?? (marked.length > 0 ? 'marked' : 'top');
  const {
    answer: list,
    failure,
    isCurrent,
  } = usePreview({
    format,
    shown: chosen === 'marked' ? marked : best,
    filtered: chosen === 'top',
    code,
    links,
    tokens,
  });

  if (toPost !== null) return <PostPanel list={toPost} onBack={() => setToPost(null)} />;
  return (
    <div className={styles.export}>
      <form className={styles.options} onSubmit={(event) => event.preventDefault()}>
        <h3 id="export-what">Results</h3>
        <Segments
          aria-labelledby="export-what"
          options={[
            ['marked', `Marked (${marked.length})`],
            ['top', 'The best'],
          ]}
          value={chosen}
          onChange={setWhat}
          autoFocus
        />
        {chosen === 'top' ? (
          <NumberField
            label="How many"
            value={top}
            least={1}
            most={Math.max(1, found)}
            onChange={setTop}
            hint={`of ${found} in the list`}
          />
        ) : (
          <p className="hint">
            {marked.length === 0
              ? 'Nothing is marked for this issue yet.'
              : 'To be edited and to be read, with their notes. What is not relevant stays out.'}
          </p>
        )}
        <h3 id="export-format">Format</h3>
        <Segments
          aria-labelledby="export-format"
          options={FORMATS.map(([id, title]) => [id, title] as const)}
          value={format}
          onChange={setFormat}
        />
        <p className="hint">{FORMATS.find(([id]) => id === format)?.[2]}</p>
        {(format === 'markdown' || format === 'json') && (
          <label className={styles.check}>
            <input type="checkbox" checked={code} onChange={() => setCode(!code)} />
            With the code of each result
          </label>
        )}
        {format === 'markdown' && (
          <label className={styles.check}>
            <input type="checkbox" checked={links} onChange={() => setLinks(!links)} />
            With links that open them in Locus
          </label>
        )}
        {format === 'prompt' && (
          <NumberField
            label="Tokens at most"
            value={tokens}
            least={LEAST_TOKENS}
            most={MOST_TOKENS}
            onChange={setTokens}
          />
        )}
        {list && <Notes list={list} />}
      </form>
      <div className={styles.result}>
        {failure ? (
          <p role="alert" className={styles.failure}>
            {inSentences(failure)}
          </p>
        ) : list ? (
          <Preview text={list.text} />
        ) : (
          <p className="hint">
            <Spinner />
          </p>
        )}
        <Actions
          list={isCurrent && list ? list : null}
          onPost={hasGh && format === 'markdown' ? setToPost : null}
        />
      </div>
    </div>
  );
}

interface Props {
  label: string;
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
  hint?: string;
}

/** A whole number that is taken as soon as it is large enough: the beginning of one is not yet what is meant. */
function NumberField({ label, value, least, most, onChange, hint }: Props) {
  const [text, setText] = useState(String(value));
  return (
    <label className={styles.inline}>
      {label}
      <input
        className="text-field"
        type="number"
        min={least}
        max={most}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const wanted = Math.round(Number(target.value));
          if (wanted >= least) onChange(Math.min(wanted, most));
        }}
        onBlur={() => setText(String(value))}
      />
      {hint && <span className="hint">{hint}</span>}
    </label>
  );
}

/** Tells the size of a prompt, and the functions missing from the list. */
function Notes({ list: { prompt, unlinked, missing } }: { list: ExportedList }) {
  const isOne = missing.length === 1;
  return (
    <>
      {prompt && (
        <p role="status" className="hint">
          About {number(prompt.tokens)} tokens; {counted(prompt.whole, 'result')} with code
          {prompt.named > 0 && `, ${prompt.named} named only, for want of room`}.
        </p>
      )}
      {unlinked && (
        <p role="status" className="hint">
          Paths instead of permalinks: <Source text={unlinked} />.
        </p>
      )}
      {missing.length > 0 && (
        <p role="status" className={styles.warning}>
          {missing.length} marked {isOne ? 'result is' : 'results are'} left out:{' '}
          {isOne ? 'it is' : 'they are'} gone, or this issue’s search no longer finds{' '}
          {isOne ? 'it' : 'them'}.
        </p>
      )}
    </>
  );
}

/** More than anybody reads here; the file itself is whole. */
const LINES_SHOWN = 1000;

function Preview({ text }: { text: string }) {
  const lines = text.split('\n');
  const shown = lines.slice(0, LINES_SHOWN).map((line) => line.slice(0, 2000));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section className={styles.preview} aria-label="Preview" tabIndex={0}>
      <pre dir="ltr">{visibleLines(shown.join('\n'))}</pre>
      {lines.length > LINES_SHOWN && (
        <p className="hint">… and {lines.length - LINES_SHOWN} more lines</p>
      )}
    </section>
  );
}

function Actions({
  list,
  onPost,
}: {
  list: ExportedList | null;
  /** Null where it cannot be posted. */
  onPost: ((text: string) => void) | null;
}) {
  const [said, setSaid] = useState('');
  const act = async (does: (list: ExportedList) => Promise<string | null>) => {
    if (!list) return;
    try {
      setSaid((await does(list)) ?? '');
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <div className={styles.actions}>
      <p role="status">{said}</p>
      {list && <span className="hint">{counted(list.count, 'result')}</span>}
      {onPost && (
        <Button disabled={!list?.count} onClick={() => list && onPost(list.text)}>
          <MessageSquareShare size={14} />
          Post to the issue …
        </Button>
      )}
      <Button
        disabled={!list}
        onClick={() =>
          act(async ({ text }) => {
            await navigator.clipboard.writeText(text);
            return 'Copied';
          })
        }
      >
        <Copy size={14} />
        Copy
      </Button>
      <Button look="primary" disabled={!list} onClick={() => act(saveList)}>
        <Save size={14} />
        {desktop ? 'Save …' : 'Download'}
      </Button>
    </div>
  );
}
