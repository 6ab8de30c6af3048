import { ChevronRight, ScanText, Scissors } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { CallEdge } from '../../../shared/call-graph.ts';
import type { ChunkDetail, EncoderPart } from '../../../shared/detail.ts';
import { visible, visibleLines } from '../../../shared/quoted.ts';
import { useAnswer } from '../../platform/answer.ts';
import { useIndexVersion } from '../../platform/index-changes.ts';
import { useApp } from '../../platform/state.ts';
import { Empty, Failed, Source, Spinner } from '../../ui/controls.tsx';
import { counted, number } from '../../ui/counts.ts';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import { revealLine } from '../preview/index.ts';
import { select, useSelected } from '../search/index.ts';
import styles from './modelInput.module.css';

const TITLES: Record<EncoderPart['role'], string> = {
  path: 'Path',
  signature: 'Signature',
  body: 'Body',
  callee: 'Callee',
};

/** Exactly what the model was given for the selected chunk, and where the chunk is called and calls. */
export default function ModelInputPanel() {
  const selected = useSelected();
  const repository = useApp((state) => state.repository?.id);
  const embedded = useApp((state) => state.status?.embedded);
  const edges = useApp((state) => state.status?.edges);
  const version = useIndexVersion();
  const asked = repository && selected ? { repository, request: { chunk: selected } } : null;
  const { answer: chunk, failure } = useAnswer('show', asked, {
    again: [embedded, edges, version],
  });
  if (!selected) {
    return (
      <Empty
        icon={<ScanText size={28} />}
        title="What the model was given for the selected function"
      />
    );
  }
  if (failure) return <Failed failure={failure} />;
  if (!chunk) {
    return (
      <Empty title="Reading the function">
        <Spinner />
      </Empty>
    );
  }
  return (
    <section
      className={styles.modelInput}
      aria-label="What the model was given"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
      data-pane-focus
    >
      <Summary chunk={chunk} />
      <ol className={styles.parts}>
        {chunk.context.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing but their place
          <Part key={`${chunk.address} ${at}`} part={part} />
        ))}
      </ol>
      <Calls title="Called from" edges={chunk.callers} other="caller" />
      <Calls title="Calls" edges={chunk.callees} other="callee" />
    </section>
  );
}

function Summary({ chunk: { context, qualifiedName } }: { chunk: ChunkDetail }) {
  const tokens = sum(context.parts.map((part) => part.tokens));
  const cut = sum(context.parts.map((part) => part.cut));
  return (
    <header className={styles.summary}>
      <h3>
        What the model was given for <Source text={qualifiedName} />
      </h3>
      <Share parts={context.parts} />
      <p>
        <span>{counted(tokens, 'token')}</span>
        {cut > 0 ? (
          <span className={styles.cut}>
            <Scissors size={12} />
            {counted(cut, 'more', 'more')} cut off
          </span>
        ) : (
          <span>nothing cut off</span>
        )}
        <span>
          model <Source className={styles.model} text={context.model} />
        </span>
        {context.embedded ? (
          <span className="good">embedded</span>
        ) : (
          <span className={styles.cut}>not yet embedded</span>
        )}
      </p>
    </header>
  );
}

function Share({ parts }: { parts: readonly EncoderPart[] }) {
  return (
    <div className={styles.share} aria-hidden="true">
      {parts.map(({ role, tokens, address }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing but their place
          key={at}
          className={styles[role]}
          style={{ flexGrow: tokens }}
          title={`${visible(address ?? TITLES[role])}: ${counted(tokens, 'token')}`}
        />
      ))}
    </div>
  );
}

/** A long text opens on demand. */
const LINES_SHOWN = 14;
const TEXT_SHOWN = 200_000;

function Part({ part: { role, address, text, tokens, cut, cutText } }: { part: EncoderPart }) {
  return (
    <li className={styles.part}>
      <div className={styles.partHead}>
        <span className={`${styles.dot} ${styles[role]}`} />
        <h4>{TITLES[role]}</h4>
        {role === 'callee' && <span className={styles.down}>[DOWN]</span>}
        {address && (
          <button type="button" className={styles.link} onClick={() => select(address)}>
            <Source text={address} />
          </button>
        )}
        <span className={styles.tokens}>{counted(tokens, 'token')}</span>
      </div>
      {text === '' ? <p className={styles.nothing}>nothing</p> : <Code text={text} />}
      {cut > 0 && <CutOff cut={cut} text={cutText} />}
    </li>
  );
}

/** Text that the limits kept from the model, folded until it is asked for. */
function CutOff({ cut, text }: { cut: number; text: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.cutOff}>
      <button
        type="button"
        className={styles.cut}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Scissors size={12} />
        {counted(cut, 'token')} cut off
        <ChevronRight size={12} data-open={open} />
      </button>
      {open && (
        <div id={id}>
          <p className={styles.nothing}>The model saw nothing of this:</p>
          <Code text={text} removed />
        </div>
      )}
    </div>
  );
}

function Code({ text, removed = false }: { text: string; removed?: boolean }) {
  const [whole, setWhole] = useState(false);
  // A body begins with the end of the line before it.
  const lines = useMemo(() => {
    return visibleLines(text.slice(0, TEXT_SHOWN)).replace(/^\n/, '').split('\n');
  }, [text]);
  const long = lines.length > LINES_SHOWN + 3;
  const shown = (long && !whole ? lines.slice(0, LINES_SHOWN) : lines).join('\n');
  return (
    <>
      <pre className={styles.text} dir="ltr">
        {removed ? <del>{shown}</del> : shown}
      </pre>
      {long && (
        <button type="button" className={styles.unfold} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      )}
      {text.length > TEXT_SHOWN && (whole || !long) && (
        <p className={styles.nothing}>
          {number(text.length - TEXT_SHOWN)} more characters are not shown here
        </p>
      )}
    </>
  );
}

const ROWS = 60;

interface Props {
  title: string;
  edges: readonly CallEdge[];
  other: 'caller' | 'callee';
}

/** One side of the call graph with every call site; a site's line opens in the preview. */
function Calls({ title, edges, other }: Props) {
  const [shown, setShown] = useState(ROWS);
  return (
    <section className={styles.calls} aria-label={title}>
      <h4>
        {title} <span className={styles.count}>{number(edges.length)}</span>
      </h4>
      {edges.length === 0 && (
        <p className={styles.nothing}>
          {other === 'caller' ? 'Nothing in this repository that was recognised' : 'Nothing here'}
        </p>
      )}
      <ul>
        {edges.slice(0, shown).map((edge) => (
          <li key={`${edge.kind} ${edge[other]}`} className={styles.call}>
            <button type="button" className={styles.link} onClick={() => select(edge[other])}>
              <Source text={edge[other]} />
            </button>
            {edge.kind !== 'call' && <span className={styles.tag}>{EDGE_WORDS[edge.kind]}</span>}
            {edge.guess && <span className={`${styles.tag} ${styles.guess}`}>guess</span>}
            <Sites edge={edge} />
          </li>
        ))}
      </ul>
      {edges.length > shown && (
        <button type="button" className={styles.unfold} onClick={() => setShown(shown + 500)}>
          Show {Math.min(500, edges.length - shown)} of {edges.length - shown} more
        </button>
      )}
    </section>
  );
}

const SITES = 8;

function Sites({ edge: { caller, sites } }: { edge: CallEdge }) {
  const [all, setAll] = useState(false);
  return (
    <span className={styles.sites}>
      {(all ? sites : sites.slice(0, SITES)).map(({ line, column }) => (
        <button
          key={`${line}:${column}`}
          type="button"
          className={styles.site}
          aria-label={`Line ${line} in the preview`}
          onClick={() => revealLine(caller, line, column)}
        >
          :{line}
        </button>
      ))}
      {sites.length > SITES && !all && (
        <button type="button" className={styles.site} onClick={() => setAll(true)}>
          {sites.length - SITES} more
        </button>
      )}
    </span>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
