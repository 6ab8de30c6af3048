import { Copy, MessageSquareShare, Save } from 'lucide-react';
import { useState } from 'react';
import { formatFailure } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS } from '../../../shared/limits.ts';
import type { ExportedList } from '../../../shared/lists.ts';
import { escapeHiddenLines } from '../../../shared/quote.ts';
import { useAnswer } from '../../platform/answer.ts';
import { copyText } from '../../platform/copy.ts';
import { desktop } from '../../platform/host.ts';
import { focusAfterDialog } from '../../platform/panes.ts';
import { Button, Dialog, SourceText, Spinner } from '../../ui/controls.tsx';
import { Segments } from '../../ui/fields.tsx';
import { countMarks, useBest, useMarkedToActOn } from '../results/index.ts';
import { type MarksByAddress, useMarks } from '../search/index.ts';
import styles from './exchange.module.css';
import { type ExportDialogOptions, saveList, useExportPreview } from './export.ts';
import { PostPanel } from './PostPanel.tsx';

/** Exports the list as a file: chooses its results and format, and shows a preview. */
export default function ExportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      title="Export list"
      size="large"
      open={open}
      onClose={onClose}
      onClosed={() => focusAfterDialog(null)}
    >
      <Export />
    </Dialog>
  );
}

const countIrrelevant = ({ marks }: { marks: MarksByAddress }): number =>
  [...marks.values()].filter(({ mark }) => mark === 'irrelevant').length;

const FORMATS = [
  ['markdown', 'Markdown', 'For an issue, a pull request or a chat.'],
  ['json', 'JSON', 'Everything, with evidence. You or a colleague can open it in Locus.'],
  ['csv', 'CSV', 'For spreadsheets.'],
  ['sarif', 'SARIF', 'For code scanning views and editors.'],
  ['prompt', 'Prompt', 'For a language model: the issue and as many whole functions as fit.'],
] as const;

function Export() {
  const marked = useMarkedToActOn();
  const marks = useMarks(countMarks);
  const left = useMarks(countIrrelevant);
  const [choice, setChoice] = useState<'marked' | 'top' | null>(null);
  const [top, setTop] = useState(10);
  const [format, setFormat] = useState<ExportDialogOptions['format']>('markdown');
  const [code, setCode] = useState(false);
  const [links, setLinks] = useState(false);
  const [tokens, setTokens] = useState(DEFAULT_TOKENS);
  const { best, found } = useBest(top);
  const { answer: hasGh = false } = useAnswer('post.gh', {});
  /** Text that the preview showed when the user chose to post it. */
  const [postText, setPostText] = useState<string | null>(null);

  const chosen = choice ?? (marked.length > 0 ? 'marked' : 'top');
  const {
    answer: list,
    failure,
    isCurrent,
  } = useExportPreview({
    format,
    shown: chosen === 'marked' ? marked : best,
    filtered: chosen === 'top',
    code,
    links,
    tokens,
  });

  if (postText !== null) return <PostPanel list={postText} onBack={() => setPostText(null)} />;
  return (
    <div className={styles.export}>
      <form className={styles.options} onSubmit={(event) => event.preventDefault()}>
        <h3 id="export-what">Results</h3>
        <Segments
          aria-labelledby="export-what"
          options={[
            ['marked', `Marked (${marks})`],
            ['top', 'Top results'],
          ]}
          value={chosen}
          onChange={setChoice}
          autoFocus
        />
        {chosen === 'top' ? (
          <NumberField
            label="How many"
            value={top}
            min={1}
            max={Math.max(1, found)}
            onChange={setTop}
            hint={`of ${found} in the list`}
          />
        ) : (
          <p className="hint">
            {marked.length === 0
              ? 'No result is marked for this issue yet.'
              : `${formatCount(marks)} marked${left > 0 ? `, ${formatCount(left)} of them not relevant and left out` : ''}. Results with only a note are included.`}
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
            Include code
          </label>
        )}
        {format === 'markdown' && (
          <label className={styles.check}>
            <input type="checkbox" checked={links} onChange={() => setLinks(!links)} />
            Include deep links to Locus
          </label>
        )}
        {format === 'prompt' && (
          <NumberField
            label="Maximum tokens"
            value={tokens}
            min={MIN_TOKENS}
            max={MAX_TOKENS}
            onChange={setTokens}
          />
        )}
        {list && <Notes list={list} />}
      </form>
      <div className={styles.result}>
        {failure ? (
          <p role="alert" className={styles.failure}>
            {formatFailure(failure)}
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
          onPost={hasGh && format === 'markdown' ? setPostText : null}
        />
      </div>
    </div>
  );
}

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  hint?: string;
}

/** Input for a whole number. It ignores numbers below `min`, which are usually the first digits of a larger one. */
function NumberField({ label, value, min, max, onChange, hint }: Props) {
  const [text, setText] = useState(String(value));
  return (
    <label className={styles.inline}>
      {label}
      <input
        className="text-field"
        type="number"
        min={min}
        max={max}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const typed = Math.round(Number(target.value));
          if (typed >= min) onChange(Math.min(typed, max));
        }}
        onBlur={() => setText(String(value))}
      />
      {hint && <span className="hint">{hint}</span>}
    </label>
  );
}

/** Shows the size of a prompt, and which results and links are missing from the file. */
function Notes({ list: { prompt, noPermalinkReason, missing } }: { list: ExportedList }) {
  const isOne = missing.length === 1;
  return (
    <>
      {prompt && (
        <p role="status" className="hint">
          About {formatCount(prompt.tokens)} tokens: {formatCounted(prompt.withCode, 'result')} with
          code
          {prompt.withoutCode > 0 && `, ${prompt.withoutCode} without, to fit the limit`}.
        </p>
      )}
      {noPermalinkReason && (
        <p role="status" className="hint">
          Paths instead of permalinks: <SourceText text={noPermalinkReason} />.
        </p>
      )}
      {missing.length > 0 && (
        <p role="status" className={styles.warning}>
          {missing.length} marked {isOne ? 'result is' : 'results are'} left out:{' '}
          {isOne ? 'it no longer exists' : 'they no longer exist'}, or this issue’s search no longer
          finds {isOne ? 'it' : 'them'}.
        </p>
      )}
    </>
  );
}

/** Limit of the preview in lines; the file itself is complete. */
const MAX_LINES = 1000;

function Preview({ text }: { text: string }) {
  const lines = text.split('\n');
  const shown = lines.slice(0, MAX_LINES).map((line) => line.slice(0, 2000));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={styles.preview} aria-label="Preview" tabIndex={0}>
      <pre dir="ltr">{escapeHiddenLines(shown.join('\n'))}</pre>
      {lines.length > MAX_LINES && (
        <p className="hint">… and {lines.length - MAX_LINES} more lines</p>
      )}
    </section>
  );
}

function Actions({
  list,
  onPost,
}: {
  list: ExportedList | null;
  /** Null if the list cannot be posted. */
  onPost: ((text: string) => void) | null;
}) {
  const [message, setMessage] = useState('');
  const run = async (action: (list: ExportedList) => Promise<string | null>) => {
    if (!list) return;
    try {
      setMessage((await action(list)) ?? '');
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return (
    <div className={styles.actions}>
      <p role="status">{message}</p>
      {list && <span className="hint">{formatCounted(list.count, 'result')}</span>}
      {onPost && (
        <Button disabled={!list?.count} onClick={() => list && onPost(list.text)}>
          <MessageSquareShare size={14} />
          Post to issue…
        </Button>
      )}
      <Button
        disabled={!list}
        onClick={() =>
          run(async ({ text, count }) => {
            await copyText(text, `list of ${formatCounted(count, 'result')}`);
            return null;
          })
        }
      >
        <Copy size={14} />
        Copy
      </Button>
      <Button look="primary" disabled={!list} onClick={() => run(saveList)}>
        <Save size={14} />
        {desktop ? 'Save…' : 'Download'}
      </Button>
    </div>
  );
}
