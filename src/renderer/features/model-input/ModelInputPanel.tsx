import { ChevronRight, ScanText, Scissors } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { CallEdge } from '../../../shared/call-graph.ts';
import type { ChunkDetail, EncoderPart } from '../../../shared/detail.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { escapeHiddenLines } from '../../../shared/quote.ts';
import { useAnswer } from '../../platform/answer.ts';
import { useIndexVersion } from '../../platform/index-changes.ts';
import { useApp } from '../../platform/state.ts';
import { Empty, Failed, SourceText, Spinner } from '../../ui/controls.tsx';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import { revealLine } from '../preview/index.ts';
import { select, useSelected } from '../search/index.ts';
import styles from './model-input.module.css';

const TITLES: Record<EncoderPart['role'], string> = {
  path: 'Path',
  signature: 'Signature',
  body: 'Body',
  callee: 'Callee',
};

/** Shows the exact input of the model for the selected chunk, and the chunk's callers and callees with every call site. */
export default function ModelInputPanel() {
  const selected = useSelected();
  const repository = useApp((state) => state.repository?.id);
  const embedded = useApp((state) => state.status?.embedded);
  const edges = useApp((state) => state.status?.edges);
  const version = useIndexVersion();
  const params = repository && selected ? { repository, request: { chunk: selected } } : null;
  const { answer: chunk, failure } = useAnswer('show', params, {
    again: [embedded, edges, version],
  });
  if (!selected) {
    return <Empty icon={<ScanText size={28} />} title="Select a function to see its model input" />;
  }
  if (failure) return <Failed failure={failure} />;
  if (!chunk) {
    return (
      <Empty title="Loading the function…">
        <Spinner />
      </Empty>
    );
  }
  return (
    <section
      className={styles.modelInput}
      aria-label="Model input"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      data-pane-focus
    >
      <Summary chunk={chunk} />
      <ol className={styles.parts}>
        {chunk.context.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <InputPart key={`${chunk.address} ${at}`} part={part} />
        ))}
      </ol>
      <Calls title="Called from" edges={chunk.callers} other="caller" />
      <Calls title="Calls" edges={chunk.callees} other="callee" />
    </section>
  );
}

function Summary({ chunk: { context, qualifiedName } }: { chunk: ChunkDetail }) {
  const isCut = context.parts.some(({ cut }) => cut > 0);
  return (
    <header className={styles.summary}>
      <h3>
        Model input for <SourceText text={qualifiedName} />
      </h3>
      <p className={styles.note}>
        If a function ranks lower than you expect, look here: only this text, of the function and of
        what it calls, was compared with the meaning of the issue.
      </p>
      {isCut && (
        <p className={styles.cut}>
          <Scissors size={12} />
          The function is too long for the model, so some text was left out.
        </p>
      )}
      {!context.embedded && <p className={styles.cut}>It was not compared yet.</p>}
      <details className={styles.details}>
        <summary>Details</summary>
        <PartBar parts={context.parts} />
        <Sizes context={context} />
      </details>
    </header>
  );
}

/** Lists the size of each part, and the model. */
function Sizes({ context: { parts, model, embedded } }: Pick<ChunkDetail, 'context'>) {
  const total = {
    tokens: sum(parts.map(({ tokens }) => tokens)),
    cut: sum(parts.map(({ cut }) => cut)),
  };
  return (
    <dl className={styles.sizes}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        <div key={at}>
          <dt>
            <span className={`${styles.dot} ${styles[part.role]}`} />
            {TITLES[part.role]} {part.address && <SourceText text={part.address} />}
          </dt>
          <dd>{describeSize(part)}</dd>
        </div>
      ))}
      <div>
        <dt>All parts</dt>
        <dd>{describeSize(total)}</dd>
      </div>
      <div>
        <dt>Model</dt>
        <dd>
          <SourceText className={styles.model} text={model} />
          {embedded ? ', embedded' : ', not yet embedded'}
        </dd>
      </div>
    </dl>
  );
}

const describeSize = ({ tokens, cut }: Pick<EncoderPart, 'tokens' | 'cut'>): string =>
  formatCounted(tokens, 'token') + (cut > 0 ? `, ${formatCount(cut)} cut off` : '');

/** Bar that shows the share of each part in the tokens. */
function PartBar({ parts }: { parts: readonly EncoderPart[] }) {
  return (
    <div className={styles.partBar} aria-hidden="true">
      {parts.map(({ role, tokens }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          key={at}
          className={styles[role]}
          style={{ flexGrow: tokens }}
        />
      ))}
    </div>
  );
}

/** Lines shown of a longer text until the user expands it. */
const MAX_LINES = 14;
const MAX_CHARACTERS = 200_000;

function InputPart({ part: { role, address, text, cut, cutText } }: { part: EncoderPart }) {
  return (
    <li className={styles.part}>
      <div className={styles.partHead}>
        <span className={`${styles.dot} ${styles[role]}`} />
        <h4>{TITLES[role]}</h4>
        {address && (
          <button type="button" className={styles.link} onClick={() => select(address)}>
            <SourceText text={address} />
          </button>
        )}
      </div>
      {text === '' ? <p className={styles.note}>empty</p> : <Code text={text} />}
      {cut > 0 && <CutOff text={cutText} />}
    </li>
  );
}

/** Text beyond the model's limits, collapsed at first. */
function CutOff({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.cutOff}>
      <button
        type="button"
        className={styles.cut}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Scissors size={12} />
        Left out
        <ChevronRight size={12} data-open={isOpen} />
      </button>
      {isOpen && (
        <div id={id}>
          <p className={styles.note}>The model did not see this text:</p>
          <Code text={text} isRemoved />
        </div>
      )}
    </div>
  );
}

function Code({ text, isRemoved = false }: { text: string; isRemoved?: boolean }) {
  const [isExpanded, setExpanded] = useState(false);
  // A body starts with the line break of the preceding line.
  const lines = useMemo(() => {
    return escapeHiddenLines(text.slice(0, MAX_CHARACTERS)).replace(/^\n/, '').split('\n');
  }, [text]);
  const isLong = lines.length > MAX_LINES + 3;
  const shown = (isLong && !isExpanded ? lines.slice(0, MAX_LINES) : lines).join('\n');
  return (
    <>
      <pre className={styles.text} dir="ltr">
        {isRemoved ? <del>{shown}</del> : shown}
      </pre>
      {isLong && (
        <button type="button" className={styles.expand} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      )}
      {text.length > MAX_CHARACTERS && (isExpanded || !isLong) && (
        <p className={styles.note}>
          {formatCount(text.length - MAX_CHARACTERS)} more characters are not shown here
        </p>
      )}
    </>
  );
}

/** Callers or callees that are shown at first, and added with “Show more”. */
const INITIAL_ROWS = 60;
const MORE_ROWS = 500;

interface CallsProps {
  title: string;
  edges: readonly CallEdge[];
  other: 'caller' | 'callee';
}

/** Lists callers or callees with every call site. A click on a site shows its line in the preview. */
function Calls({ title, edges, other }: CallsProps) {
  const [shown, setShown] = useState(INITIAL_ROWS);
  return (
    <section className={styles.calls} aria-label={title}>
      <h4>
        {title} <span className={styles.count}>{formatCount(edges.length)}</span>
      </h4>
      {edges.length === 0 && (
        <p className={styles.note}>
          {other === 'caller' ? 'No known callers in this repository' : 'No known callees'}
        </p>
      )}
      <ul>
        {edges.slice(0, shown).map((edge) => (
          <li key={`${edge.kind} ${edge[other]}`} className={styles.call}>
            <button type="button" className={styles.link} onClick={() => select(edge[other])}>
              <SourceText text={edge[other]} />
            </button>
            {edge.kind !== 'call' && <span className={styles.tag}>{EDGE_WORDS[edge.kind]}</span>}
            {edge.guess && <span className={`${styles.tag} ${styles.guess}`}>guess</span>}
            <CallSites edge={edge} />
          </li>
        ))}
      </ul>
      {edges.length > shown && (
        <button type="button" className={styles.expand} onClick={() => setShown(shown + MORE_ROWS)}>
          Show {Math.min(MORE_ROWS, edges.length - shown)} of {edges.length - shown} more
        </button>
      )}
    </section>
  );
}

const MAX_SITES = 8;

function CallSites({ edge: { caller, sites } }: { edge: CallEdge }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <span className={styles.sites}>
      {(showsAll ? sites : sites.slice(0, MAX_SITES)).map(({ line, column }) => (
        <button
          key={`${line}:${column}`}
          type="button"
          className={styles.site}
          aria-label={`Show line ${line} in preview`}
          onClick={() => revealLine(caller, line, column)}
        >
          :{line}
        </button>
      ))}
      {sites.length > MAX_SITES && !showsAll && (
        <button type="button" className={styles.site} onClick={() => setShowsAll(true)}>
          {sites.length - MAX_SITES} more
        </button>
      )}
    </span>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
