import { Copy, Save } from 'lucide-react';
import { useState } from 'react';
import { MOST_RESULTS } from '../../../shared/limits.ts';
import type { ExportedList } from '../../../shared/lists.ts';
import { visibleLines } from '../../../shared/visible.ts';
import { desktop } from '../../platform/host.ts';
import { Button, Dialog, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { Segments } from '../../ui/fields.tsx';
import { useSearch } from '../search/index.ts';
import styles from './exchange.module.css';
import { type ExportChoice, saveList, useMarked, usePreview } from './export.ts';
import { focusAfterDialog } from './focus.ts';

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
] as const;

function Export() {
  const marked = useMarked();
  const found = useSearch((state) => state.response?.results.length ?? 0);
  const [what, setWhat] = useState<'marked' | 'top' | null>(null);
  const [top, setTop] = useState(10);
  const [format, setFormat] = useState<ExportChoice['format']>('markdown');
  const [code, setCode] = useState(false);

  const addresses = marked.map(({ address, now }) => now?.address ?? address);
  const chosen = what ?? (addresses.length > 0 ? 'marked' : 'top');
  const { list, failure, current } = usePreview({
    format,
    chunks: chosen === 'marked' ? addresses : null,
    top,
    code,
  });

  return (
    <div className={styles.export}>
      <form className={styles.options} onSubmit={(event) => event.preventDefault()}>
        <h3 id="export-what">Results</h3>
        <Segments
          aria-labelledby="export-what"
          options={[
            ['marked', `Marked (${addresses.length})`],
            ['top', 'The best'],
          ]}
          value={chosen}
          onChange={setWhat}
          autoFocus
        />
        {chosen === 'top' ? (
          <label className={styles.inline}>
            How many
            <input
              type="number"
              min={1}
              max={MOST_RESULTS}
              value={top}
              onChange={({ target }) =>
                setTop(Math.max(1, Math.min(MOST_RESULTS, Math.round(Number(target.value)) || 1)))
              }
            />
            <span className={styles.hint}>of {found} shown</span>
          </label>
        ) : (
          <p className={styles.hint}>
            {addresses.length === 0
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
        <p className={styles.hint}>{FORMATS.find(([id]) => id === format)?.[2]}</p>
        {format === 'markdown' && (
          <label className={styles.check}>
            <input type="checkbox" checked={code} onChange={() => setCode(!code)} />
            With the code of each result
          </label>
        )}
        <Missing list={list} />
      </form>
      <div className={styles.result}>
        {failure ? (
          <p role="alert" className={styles.failure}>
            {failure.message}. {failure.remedy}
          </p>
        ) : list ? (
          <Preview text={list.text} />
        ) : (
          <p className={styles.hint}>
            <Spinner />
          </p>
        )}
        <Actions list={current ? list : null} />
      </div>
    </div>
  );
}

function Missing({ list }: { list: ExportedList | null }) {
  if (!list || list.missing.length === 0) return null;
  const one = list.missing.length === 1;
  return (
    <p role="status" className={styles.warning}>
      {list.missing.length} marked {one ? 'result is' : 'results are'} left out:{' '}
      {one ? 'it is' : 'they are'} gone, or this issue’s search no longer finds{' '}
      {one ? 'it' : 'them'}.
    </p>
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
        <p className={styles.hint}>… and {lines.length - LINES_SHOWN} more lines</p>
      )}
    </section>
  );
}

function Actions({ list }: { list: ExportedList | null }) {
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
      {list && <span className={styles.hint}>{counted(list.count, 'result')}</span>}
      <Button
        disabled={!list}
        onClick={() =>
          act(async ({ text }) => {
            await navigator.clipboard.writeText(text);
            return 'Copied';
          })
        }
      >
        <Copy size={14} aria-hidden="true" />
        Copy
      </Button>
      <Button look="primary" disabled={!list} onClick={() => act(saveList)}>
        <Save size={14} aria-hidden="true" />
        {desktop ? 'Save …' : 'Download'}
      </Button>
    </div>
  );
}
