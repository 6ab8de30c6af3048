import { CircleAlert, FileCode2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ChunkSummary, FileDetail } from '../../../shared/types.ts';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { Empty, Source } from '../../ui/controls.tsx';
import { editor, Range } from '../../ui/monaco.ts';
import { useSearch } from '../results/search.ts';
import { useFile } from './files.ts';
import styles from './preview.module.css';
import { useReveal } from './reveal.ts';

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  language: 'python',
  readOnly: true,
  domReadOnly: true,
  ariaLabel: 'Code, read only',
  stickyScroll: { enabled: true, maxLineCount: 4, defaultModel: 'indentationModel' },
  renderLineHighlight: 'none',
  lineNumbersMinChars: 4,
  glyphMargin: false,
  folding: true,
  occurrencesHighlight: 'singleFile',
  // A line of 4,000 characters must not take the browser down.
  maxTokenizationLineLength: 4000,
  stopRenderingLineAfter: 10_000,
};

const PLAIN_BRACKETS = { enabled: false, independentColorPoolPerBracketType: false };

/** The whole file of the selected chunk, scrolled to it. */
export function PreviewPanel() {
  const selected = useSearch((state) => state.selected);
  const path = selected?.slice(0, selected.lastIndexOf('::')) ?? null;
  const found = useFile(path);
  const [made, setMade] = useState<editor.IStandaloneCodeEditor | null>(null);
  const file = selected && found.state === 'ready' ? found.file : null;
  const chunk = file?.chunks.find(({ address }) => address === selected) ?? null;
  useModel(made, file);
  useHighlight(made, file, chunk);
  useRevealedLine(made, file);

  if (!selected) {
    return <Empty icon={<FileCode2 size={28} />} title="The code of the selected chunk" />;
  }
  if (found.state === 'failed') {
    return (
      <Empty icon={<CircleAlert size={28} />} title={found.failure.message}>
        <p>{found.failure.remedy}</p>
      </Empty>
    );
  }
  return (
    <div className={styles.preview}>
      <div className={styles.place}>
        <Source className={styles.path} text={path ?? ''} />
        {chunk && chunk.kind !== 'module' && (
          <Source className={styles.name} text={chunk.qualifiedName} />
        )}
        {chunk && (
          <span className={styles.lines}>
            lines {chunk.startLine}–{chunk.endLine}
          </span>
        )}
      </div>
      <div className={styles.code}>
        <CodeEditor
          options={OPTIONS}
          onReady={(created) => {
            setMade(created);
            return () => created.getModel()?.dispose();
          }}
        />
      </div>
    </div>
  );
}

function useModel(made: editor.IStandaloneCodeEditor | null, file: FileDetail | null): void {
  useEffect(() => {
    if (!made || !file) return;
    const before = made.getModel();
    const model = editor.createModel(file.text, 'python');
    model.updateOptions({ bracketColorizationOptions: PLAIN_BRACKETS });
    made.setModel(model);
    before?.dispose();
  }, [made, file]);
}

/** Marks the chunk's lines and scrolls to them. */
function useHighlight(
  made: editor.IStandaloneCodeEditor | null,
  file: FileDetail | null,
  chunk: ChunkSummary | null,
): void {
  useEffect(() => {
    if (!made || !file || !chunk) return;
    const { startLine, endLine, kind } = chunk;
    if (kind === 'module') {
      made.revealLineNearTop(1);
      return;
    }
    const marks = made.createDecorationsCollection([
      {
        range: new Range(startLine, 1, endLine, 1),
        options: {
          isWholeLine: true,
          className: styles.range,
          linesDecorationsClassName: styles.edge,
          overviewRuler: { color: { id: 'focusBorder' }, position: editor.OverviewRulerLane.Full },
        },
      },
    ]);
    made.setPosition({ lineNumber: startLine, column: 1 });
    made.revealLineNearTop(startLine);
    return () => marks.clear();
  }, [made, file, chunk]);
}

/** Goes to the line that another view asked for, once its file is shown. */
function useRevealedLine(made: editor.IStandaloneCodeEditor | null, file: FileDetail | null): void {
  const target = useReveal((state) => state.target);
  useEffect(() => {
    if (!made || !file || target?.path !== file.path) return;
    made.setPosition({ lineNumber: target.line, column: target.column + 1 });
    made.revealLineInCenter(target.line);
    useReveal.setState({ target: null });
  }, [made, file, target]);
}
