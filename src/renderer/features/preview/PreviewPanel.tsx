import { ChevronDown, ChevronUp, FileCode2, SquareArrowOutUpRight, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import { formatCell } from '../../../shared/format-cell.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { describeUndecoded } from '../../../shared/undecoded.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { getLanguage, useApp } from '../../platform/state.ts';
import { CodeEditor, IMMEDIATE, type Monaco } from '../../ui/CodeEditor.tsx';
import { getCodeFont } from '../../ui/code-type.ts';
import { Empty, Failed, IconButton, SourceText, Spinner } from '../../ui/controls.tsx';
import type { editor } from '../../ui/monaco.ts';
import { splitName, splitPath } from '../../ui/names.ts';
import { onThemeChange } from '../../ui/theme.ts';
import { getResponse, useSearch, useSelected } from '../search/index.ts';
import { BlameBar } from './BlameBar.tsx';
import { showBadges } from './badges.ts';
import { Crumbs } from './Crumbs.tsx';
import { useCallees } from './calls.ts';
import { getDepth, getHeat, getPath, listResultsIn } from './candidates.ts';
import { useCodeHighlights } from './code-highlights.ts';
import { createCallDecorations, createResultDecorations } from './decorations.ts';
import { goToDefinition } from './definition.ts';
import { useFile } from './files.ts';
import { useReveal } from './history.ts';
import { useMoved } from './moved.ts';
import { colorNames, registerSymbols } from './outline.ts';
import styles from './preview.module.css';
import { ReferenceList } from './ReferenceList.tsx';
import { useRareWords } from './rare-words.ts';
import { usePreview } from './view.ts';

/** Maximum number of enclosing definitions whose headers stay visible at the top. */
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
  // Monaco requests occurrences with a delay, and reports an error if the file was closed meanwhile.
  occurrencesHighlight: 'off',
  // Tokenizing longer lines could freeze the browser.
  maxTokenizationLineLength: 4000,
  stopRenderingLineAfter: 10_000,
};

interface ReadyEditor {
  code: editor.IStandaloneCodeEditor;
  monaco: Monaco;
}

const NO_RESULTS: readonly RankedChunk[] = [];

/** Shows the whole file of the selected chunk, scrolled to the chunk. */
export function PreviewPanel() {
  const selected = useSelected();
  const results = useSearch((state) => getResponse(state)?.results) ?? NO_RESULTS;
  const path = selected === null ? null : getPath(selected);
  const loaded = useFile(path);
  const blame = useApp((state) => state.settings?.blame);
  const [made, setMade] = useState<ReadyEditor | null>(null);
  const file = selected && loaded.state === 'ready' ? loaded.file : null;
  const chunk = file?.chunks.find(({ address }) => address === selected) ?? null;
  const candidates = useMemo(
    () => (file ? listResultsIn(results, file.path) : []),
    [results, file],
  );
  const undecoded = useMemo(() => file && describeUndecoded(file.text), [file]);
  const isLost = loaded.state === 'failed' && loaded.failure.code === 'not-found';
  const moved = useMoved(selected, chunk, isLost);
  const isFailed = loaded.state === 'failed' && (moved.isMissing || !isLost);
  const failure = selected && isFailed ? loaded.failure : null;
  const isLoading = selected !== null && !failure && file?.path !== path;

  useModel(made, file);
  useScrollToChunk(made, file, chunk);
  useRevealedLine(made, file);
  useDecorations(made, file, chunk, results);
  useEffect(() => (made ? showBadges(made.code, candidates) : undefined), [made, candidates]);
  useRareWords(made?.code ?? null, file);
  useCodeHighlights(made?.code ?? null, file);
  useEffect(() => usePreview.setState({ file }), [file]);
  useEffect(
    () =>
      usePreview.setState(({ message }) =>
        message?.selected === selected ? {} : { message: null },
      ),
    [selected],
  );

  return (
    <div className={styles.preview}>
      {selected && !failure && (
        <FileHeader
          path={path ?? ''}
          chunk={chunk}
          isMissing={!isLoading && !chunk}
          rank={candidates.find(({ address }) => address === selected)?.rank}
          candidates={candidates}
        />
      )}
      <p role="status" className={moved.from ? styles.note : 'visually-hidden'}>
        {moved.from && (
          <>
            Moved here from <SourceText text={moved.from} />
          </>
        )}
      </p>
      {undecoded && !failure && <p className={styles.note}>{undecoded}</p>}
      {selected && !failure && <Crumbs />}
      <Message />
      <div className={styles.code}>
        <div className={styles.editor} data-empty={!file || undefined}>
          <CodeEditor
            options={OPTIONS}
            placeholder="code"
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
        {isLoading && (
          <div className={styles.waiting} role="status">
            <Spinner />
            <span className="visually-hidden">Loading the file</span>
          </div>
        )}
        {!selected && (
          <Empty icon={<FileCode2 size={28} />} title="Select a result to see its code" />
        )}
        {failure && <Failed failure={failure} />}
      </div>
      {selected && !failure && <ReferenceList />}
      {blame && file && <BlameBar />}
    </div>
  );
}

const BUTTONS = [
  ['code.previousCandidate', 'Previous result in this file', ChevronUp],
  ['code.nextCandidate', 'Next result in this file', ChevronDown],
  ['code.openInEditor', 'Open in editor', SquareArrowOutUpRight],
] as const;

interface FileHeaderProps {
  path: string;
  chunk: ChunkSummary | null;
  /** True if the file no longer contains the chunk. */
  isMissing: boolean;
  rank: number | undefined;
  candidates: readonly RankedChunk[];
}

function FileHeader({ path, chunk, isMissing, rank, candidates }: FileHeaderProps) {
  const version = useApp((state) => state.version);
  return (
    <div className={styles.fileHeader}>
      {rank !== undefined && (
        <span className={`${styles.rank} ${styles[`badge${getHeat(rank)}`]}`}>
          <span className="visually-hidden">Rank </span>
          {rank}
        </span>
      )}
      <div className={styles.what}>
        <SourceText
          className={styles.name}
          text={chunk ? splitName(chunk).join('') : splitPath(path)[1]}
        />
        <span className={styles.where}>
          <SourceText className="ellipsis" text={path} />
          {chunk && (
            <span className="rigid digits">
              lines {chunk.startLine}–{chunk.endLine}
              {formatCell(chunk)}
            </span>
          )}
          {isMissing && <span className={styles.missing}>no longer in this file</span>}
        </span>
      </div>
      {candidates.length > 0 && (
        <span className={styles.count} title="Results in this file">
          {candidates.length} <span>in this file</span>
        </span>
      )}
      {BUTTONS.map(([command, label, Icon]) => (
        <IconButton
          key={command}
          label={label}
          keys={getKeys(command)}
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
          <SourceText text={message.text} />
          {message.vsCodeUrl && (
            <a className={styles.remedyLink} href={message.vsCodeUrl}>
              Open in Visual Studio Code
            </a>
          )}
          {message.remedy && <Remedy text={message.remedy} command={message.command} />}
          <IconButton label="Dismiss" onClick={() => usePreview.setState({ message: null })}>
            <X size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

/** Shows the remedy; as a link if a command of the app carries it out. */
function Remedy({ text, command }: { text: string; command: string | null }) {
  if (!command) return <SourceText className="muted" text={text} />;
  return (
    <button type="button" className={styles.remedyLink} onClick={() => runCommand(command)}>
      {text[0]?.toUpperCase()}
      {text.slice(1)}
    </button>
  );
}

/** Shows a file. Keeps the scroll position if only the content of the same file has changed. */
function useModel(made: ReadyEditor | null, file: FileDetail | null): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (!made || !file) return;
    const { code, monaco } = made;
    const before = code.getModel();
    const view = shown.current === file.path ? code.saveViewState() : null;
    const model = monaco.editor.createModel(file.text, getLanguage(file)?.monaco);
    registerSymbols(monaco, model, file);
    colorNames(monaco, model, file);
    code.setModel(model);
    if (view) code.restoreViewState(view);
    before?.dispose();
    shown.current = file.path;
  }, [made, file]);
}

/** Scrolls to a chunk when it is selected, but not when its file or the search is updated. */
function useScrollToChunk(
  made: ReadyEditor | null,
  file: FileDetail | null,
  chunk: ChunkSummary | null,
): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (!made || !file || !chunk || last.current === chunk.address) return;
    last.current = chunk.address;
    const line = chunk.kind === 'module' ? 1 : chunk.startLine;
    made.code.setPosition({ lineNumber: line, column: 1 });
    // Right below the sticky headers of its enclosing definitions. One line higher, the headers of the previous definition would show.
    const above = Math.min(getDepth(chunk, file.chunks), STICKY_LINES);
    const { lineHeight } = getCodeFont(getComputedStyle(made.code.getContainerDomNode()));
    made.code.setScrollTop(made.code.getTopForLineNumber(line) - above * lineHeight, IMMEDIATE);
  }, [made, file, chunk]);
}

function useRevealedLine(made: ReadyEditor | null, file: FileDetail | null): void {
  const target = useReveal((state) => state.target);
  useEffect(() => {
    if (!made || !file || target?.path !== file.path) return;
    made.code.setPosition({ lineNumber: target.line, column: target.column + 1 });
    made.code.revealLineInCenter(target.line, 1);
    useReveal.setState({ target: null });
  }, [made, file, target]);
}

function useDecorations(
  made: ReadyEditor | null,
  file: FileDetail | null,
  chunk: ChunkSummary | null,
  results: readonly RankedChunk[],
): void {
  const [theme, setTheme] = useState({});
  useEffect(() => onThemeChange(() => setTheme({})), []);
  const callees = useCallees(chunk?.address ?? null);
  useDecorationSet(made, () => (file ? createResultDecorations(file, results, chunk) : []), [
    file,
    chunk,
    results,
    theme,
  ]);
  useDecorationSet(made, (model) => (file ? createCallDecorations(model, callees) : []), [
    file,
    callees,
  ]);
}

/** Shows decorations, and recreates them when one of `dependencies` changes. */
function useDecorationSet(
  made: ReadyEditor | null,
  decorate: (model: editor.ITextModel) => editor.IModelDeltaDecoration[],
  dependencies: readonly unknown[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists the dependencies
  useEffect(() => {
    const model = made?.code.getModel();
    if (!made || !model) return;
    const shown = made.code.createDecorationsCollection(decorate(model));
    return () => shown.clear();
  }, [made, ...dependencies]);
}

/** Goes to the definition on Ctrl+click or Cmd+click. While the key is down, calls look like links. */
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
