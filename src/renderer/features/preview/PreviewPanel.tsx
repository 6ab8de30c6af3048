import { ChevronDown, ChevronUp, FileCode2, SquareArrowOutUpRight, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { getLanguage, useApp } from '../../platform/state.ts';
import { CodeEditor, IMMEDIATE, type Monaco } from '../../ui/CodeEditor.tsx';
import { codeTypeOf } from '../../ui/code-type.ts';
import { Empty, Failed, IconButton, Source, Spinner } from '../../ui/controls.tsx';
import type { editor } from '../../ui/monaco.ts';
import { splitName, splitPath } from '../../ui/names.ts';
import { onThemeChange } from '../../ui/theme.ts';
import { responseOf, useSearch, useSelected } from '../search/index.ts';
import { BlameBar } from './BlameBar.tsx';
import { showBadges } from './badges.ts';
import { Crumbs } from './Crumbs.tsx';
import { useCallees } from './calls.ts';
import { candidatesIn, depthOf, heatOf, pathOf } from './candidates.ts';
import { callDecorations, candidateDecorations } from './decorations.ts';
import { goToDefinition } from './definition.ts';
import { useFile } from './files.ts';
import { useReveal } from './history.ts';
import { useLitWords } from './lit-words.ts';
import { outline, tellNames } from './outline.ts';
import styles from './preview.module.css';
import { ReferenceList } from './ReferenceList.tsx';
import { useRareWords } from './rare-words.ts';
import { usePreview } from './view.ts';

/** Headers of what stands around the first line that is shown. */
const STICKY_LINES = 4;

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  readOnly: true,
  domReadOnly: true,
  ariaLabel: 'Code, read only',
  stickyScroll: { enabled: true, maxLineCount: STICKY_LINES, defaultModel: 'outlineModel' },
  renderLineHighlight: 'none',
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 14,
  glyphMargin: true,
  folding: true,
  showFoldingControls: 'mouseover',
  overviewRulerLanes: 3,
  // Monaco asks for it late, when the file may have gone from the editor, and calls that an error.
  occurrencesHighlight: 'off',
  // A line of 4,000 characters must not take the browser down.
  maxTokenizationLineLength: 4000,
  stopRenderingLineAfter: 10_000,
};

interface Made {
  code: editor.IStandaloneCodeEditor;
  monaco: Monaco;
}

const NO_RESULTS: readonly RankedChunk[] = [];

/** The whole file of the selected chunk, scrolled to it. */
export function PreviewPanel() {
  const selected = useSelected();
  const results = useSearch((state) => responseOf(state)?.results) ?? NO_RESULTS;
  const path = selected === null ? null : pathOf(selected);
  const found = useFile(path);
  const blame = useApp((state) => state.settings?.blame);
  const [made, setMade] = useState<Made | null>(null);
  const file = selected && found.state === 'ready' ? found.file : null;
  const chunk = file?.chunks.find(({ address }) => address === selected) ?? null;
  const candidates = useMemo(() => (file ? candidatesIn(results, file.path) : []), [results, file]);
  const failure = selected && found.state === 'failed' ? found.failure : null;
  const waiting = selected !== null && !failure && file?.path !== path;

  useModel(made, file);
  useArrival(made, file, chunk);
  useRevealedLine(made, file);
  useDecorations(made, file, chunk, results);
  useEffect(() => (made ? showBadges(made.code, candidates) : undefined), [made, candidates]);
  useRareWords(made?.code ?? null, file);
  useLitWords(made?.code ?? null, file);
  useEffect(() => usePreview.setState({ file }), [file]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of another chunk is over
  useEffect(() => usePreview.setState({ message: null }), [selected]);

  return (
    <div className={styles.preview}>
      {selected && !failure && (
        <Place
          path={path ?? ''}
          chunk={chunk}
          gone={!waiting && !chunk}
          rank={candidates.find(({ address }) => address === selected)?.rank}
          candidates={candidates}
        />
      )}
      {selected && !failure && <Crumbs />}
      <Message />
      <div className={styles.code}>
        <div className={styles.editor} data-empty={!file || undefined}>
          <CodeEditor
            options={OPTIONS}
            outline="code"
            onReady={(code, monaco) => {
              setMade({ code, monaco });
              usePreview.setState({ made: code });
              followLinks(code);
              return () => {
                usePreview.setState({ made: null, file: null });
                code.getModel()?.dispose();
              };
            }}
          />
        </div>
        {waiting && (
          <div className={styles.waiting} role="status">
            <Spinner />
            <span className="unseen">Reading the file</span>
          </div>
        )}
        {!selected && (
          <Empty icon={<FileCode2 size={28} />} title="The code of the selected function" />
        )}
        {failure && <Failed failure={failure} />}
      </div>
      {selected && !failure && <ReferenceList />}
      {blame && file && <BlameBar />}
    </div>
  );
}

const WAYS = [
  ['code.previousCandidate', 'Previous candidate in this file', ChevronUp],
  ['code.nextCandidate', 'Next candidate in this file', ChevronDown],
  ['code.openInEditor', 'Open in your editor', SquareArrowOutUpRight],
] as const;

interface PlaceProps {
  path: string;
  chunk: ChunkSummary | null;
  /** True if the file is shown without the chunk. */
  gone: boolean;
  rank: number | undefined;
  candidates: readonly RankedChunk[];
}

function Place({ path, chunk, gone, rank, candidates }: PlaceProps) {
  const version = useApp((state) => state.version);
  return (
    <div className={styles.place}>
      {rank !== undefined && (
        <span className={`${styles.rank} ${styles[`badge${heatOf(rank)}`]}`}>
          <span className="unseen">Rank </span>
          {rank}
        </span>
      )}
      <div className={styles.what}>
        <Source
          className={styles.name}
          text={chunk ? splitName(chunk).join('') : splitPath(path)[1]}
        />
        <span className={styles.where}>
          <Source className="ellipsis" text={path} />
          {chunk && (
            <span className="rigid digits">
              lines {chunk.startLine}–{chunk.endLine}
            </span>
          )}
          {gone && <span className={styles.gone}>no longer in this file</span>}
        </span>
      </div>
      {candidates.length > 0 && (
        <span className={styles.count} title="Candidates in this file">
          {candidates.length} <span>in this file</span>
        </span>
      )}
      {WAYS.map(([command, label, Icon]) => (
        <IconButton
          key={command}
          label={label}
          keys={keysOf(command)}
          disabled={command === 'code.openInEditor' ? version !== null : candidates.length < 2}
          onClick={() => runCommand(command)}
        >
          <Icon size={15} />
        </IconButton>
      ))}
    </div>
  );
}

function Message() {
  const message = usePreview((state) => state.message);
  return (
    <div role="status">
      {message && (
        <div className={styles.message} data-failed={message.failed || undefined}>
          <Source text={message.text} />
          {message.remedy && <Remedy text={message.remedy} command={message.command} />}
          <IconButton label="Dismiss" onClick={() => usePreview.setState({ message: null })}>
            <X size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

/** What to do about it; a link where the app itself has the place to do it. */
function Remedy({ text, command }: { text: string; command: string | null }) {
  if (!command) return <Source className="muted" text={text} />;
  return (
    <button type="button" className={styles.remedyLink} onClick={() => runCommand(command)}>
      {text[0]?.toUpperCase()}
      {text.slice(1)}
    </button>
  );
}

/** Shows the file; when it is the same one with other contents, the view stays where it is. */
function useModel(made: Made | null, file: FileDetail | null): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (!made || !file) return;
    const { code, monaco } = made;
    const before = code.getModel();
    const view = shown.current === file.path ? code.saveViewState() : null;
    const model = monaco.editor.createModel(file.text, getLanguage(file)?.monaco);
    outline(monaco, model, file);
    tellNames(monaco, model, file);
    code.setModel(model);
    if (view) code.restoreViewState(view);
    before?.dispose();
    shown.current = file.path;
  }, [made, file]);
}

/** Scrolls to the chunk when it comes to be selected, not when its file or the search is read anew. */
function useArrival(made: Made | null, file: FileDetail | null, chunk: ChunkSummary | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (!made || !file || !chunk || last.current === chunk.address) return;
    last.current = chunk.address;
    const line = chunk.kind === 'module' ? 1 : chunk.startLine;
    made.code.setPosition({ lineNumber: line, column: 1 });
    // Right below the headers of what it stands in: a line further up, and those would be of what stands before it.
    const above = Math.min(depthOf(chunk, file.chunks), STICKY_LINES);
    const { lineHeight } = codeTypeOf(getComputedStyle(made.code.getContainerDomNode()));
    made.code.setScrollTop(made.code.getTopForLineNumber(line) - above * lineHeight, IMMEDIATE);
  }, [made, file, chunk]);
}

function useRevealedLine(made: Made | null, file: FileDetail | null): void {
  const target = useReveal((state) => state.target);
  useEffect(() => {
    if (!made || !file || target?.path !== file.path) return;
    made.code.setPosition({ lineNumber: target.line, column: target.column + 1 });
    made.code.revealLineInCenter(target.line, 1);
    useReveal.setState({ target: null });
  }, [made, file, target]);
}

function useDecorations(
  made: Made | null,
  file: FileDetail | null,
  chunk: ChunkSummary | null,
  results: readonly RankedChunk[],
): void {
  const [theme, setTheme] = useState({});
  useEffect(() => onThemeChange(() => setTheme({})), []);
  const callees = useCallees(chunk?.address ?? null);
  useDecorated(made, () => (file ? candidateDecorations(file, results, chunk) : []), [
    file,
    chunk,
    results,
    theme,
  ]);
  useDecorated(made, (model) => (file ? callDecorations(model, callees) : []), [file, callees]);
}

/** Decorations that are made again when something of `causes` is another. */
function useDecorated(
  made: Made | null,
  decorate: (model: editor.ITextModel) => editor.IModelDeltaDecoration[],
  causes: readonly unknown[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what they are made of
  useEffect(() => {
    const model = made?.code.getModel();
    if (!made || !model) return;
    const shown = made.code.createDecorationsCollection(decorate(model));
    return () => shown.clear();
  }, [made, ...causes]);
}

/** Ctrl+click, or Cmd+click, goes to the definition; while the key is down, calls look like links. */
function followLinks(code: editor.IStandaloneCodeEditor): void {
  const node = code.getDomNode();
  code.onMouseDown(({ event, target }) => {
    if (!(event.ctrlKey || event.metaKey) || !target.position) return;
    event.preventDefault();
    goToDefinition(target.position);
  });
  code.onMouseMove(({ event }) => {
    node?.toggleAttribute('data-linking', event.ctrlKey || event.metaKey);
  });
  code.onKeyDown(({ ctrlKey, metaKey }) => {
    node?.toggleAttribute('data-linking', ctrlKey || metaKey);
  });
  code.onKeyUp(() => node?.removeAttribute('data-linking'));
}
