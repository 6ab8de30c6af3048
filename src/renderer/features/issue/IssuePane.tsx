import { FilePlus2, FolderClock, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { IssueReport } from '../../../shared/search.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { Pane, SourceText } from '../../ui/controls.tsx';
import { useFileDrop } from '../../ui/file-drop.ts';
import type { editor } from '../../ui/monaco.ts';
import { editIssue, getIssue, recordPaste, useResponse, useSearch } from '../search/index.ts';
import { loadIssueFile } from './files.ts';
import { IssueUrlBar } from './IssueUrlBar.tsx';
import styles from './issue.module.css';
import { useIssueHighlights } from './issue-highlights.ts';
import { findBlockLines } from './mentions.ts';
import { RecognizedMentions } from './RecognizedMentions.tsx';
import { setIssueEditor } from './reveal.ts';
import { openMentionTarget, showMentionHovers, underlineMentions } from './underlined-mentions.ts';

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  language: 'markdown',
  ariaLabel: 'Issue',
  placeholder: 'Paste an issue here: title, description, traceback…',
  wordWrap: 'on',
  // Break lines at spaces. Monaco's default also breaks inside `a.b`, `(x` and `/path`.
  wordWrapBreakBeforeCharacters: '',
  wordWrapBreakAfterCharacters: ' \t-',
  wrappingIndent: 'same',
  lineNumbers: 'off',
  glyphMargin: false,
  folding: false,
  // The text is prose and logs, not code, so nothing is inserted automatically.
  autoIndent: 'none',
  autoClosingBrackets: 'never',
  autoClosingQuotes: 'never',
  autoSurround: 'never',
  guides: { indentation: false },
  lineDecorationsWidth: 12,
  lineNumbersMinChars: 0,
  renderLineHighlight: 'none',
  overviewRulerLanes: 0,
  // Monaco would treat indented log lines as headings.
  stickyScroll: { enabled: false },
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  occurrencesHighlight: 'off',
  matchBrackets: 'never',
  unicodeHighlight: { ambiguousCharacters: false },
  hover: { delay: 250, above: false },
  // A dropped file is opened as an issue, not inserted.
  dropIntoEditor: { enabled: false },
};

export function IssuePane() {
  const issueEditor = useRef<editor.IStandaloneCodeEditor>(null);
  const blockDecorations = useRef<editor.IEditorDecorationsCollection>(null);
  const [isReady, setReady] = useState(false);
  const loads = useSearch((state) => state.issue.loads);
  const report = useResponse()?.issue ?? null;
  const { over, handlers } = useFileDrop(openDroppedFile);
  useIssueHighlights(isReady ? issueEditor.current : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when an issue is loaded
  useEffect(() => {
    const { text } = getIssue();
    const { current } = issueEditor;
    if (current && current.getValue() !== text) current.setValue(text);
  }, [loads]);
  useEffect(() => {
    if (!isReady || !issueEditor.current) return;
    underlineMentions(issueEditor.current, report);
    if (blockDecorations.current) {
      decorateBlocks(issueEditor.current, blockDecorations.current, report);
    }
  }, [isReady, report]);
  return (
    <Pane
      name="issue"
      title="Issue"
      detail={<FetchedFrom />}
      actions={
        <>
          <CommandButton id="issue.history" label="Earlier issues">
            <FolderClock size={15} />
          </CommandButton>
          <CommandButton id="issue.new" label="New issue">
            <FilePlus2 size={15} />
          </CommandButton>
          <CommandButton id="issue.search" label="Search">
            <Play size={15} />
          </CommandButton>
        </>
      }
    >
      <div className={styles.body} {...handlers}>
        <IssueUrlBar />
        <div className={styles.editor}>
          <CodeEditor
            options={OPTIONS}
            placeholder="prose"
            onReady={(created, monaco) => {
              issueEditor.current = created;
              // An issue may have been loaded before Monaco was ready.
              created.setValue(getIssue().text);
              if (shouldTakeFocus()) created.focus();
              trackEdits(created);
              blockDecorations.current = created.createDecorationsCollection();
              showMentionHovers(monaco, created);
              created.onMouseDown(({ event, target }) => {
                if ((event.ctrlKey || event.metaKey) && target.position)
                  openMentionTarget(target.position);
              });
              setReady(true);
              setIssueEditor(created);
              return () => {
                setIssueEditor(null);
                issueEditor.current = null;
              };
            }}
          />
        </div>
        <RecognizedMentions report={report} />
        {over && <div className={styles.drop}>Drop to open as an issue</div>}
      </div>
    </Pane>
  );
}

/** Returns true if nothing has the focus, or if the pane got the focus before its editor was ready. */
function shouldTakeFocus(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement?.getAttribute('data-pane') === 'issue';
}

/** Opens a dropped file as an issue. Returns false for a folder, which the window opens. */
function openDroppedFile({ items, files: [file] }: DataTransfer): boolean | undefined {
  if (items[0]?.webkitGetAsEntry?.()?.isDirectory) return false;
  if (file) loadIssueFile(file);
}

/**
 * Updates the state of the search after every edit. An edit that replaces the whole text, or writes into an empty editor,
 * starts another issue, without the marks of the previous one. The engine reunites versions of the same issue.
 */
function trackEdits(created: editor.IStandaloneCodeEditor): void {
  const getLength = () => created.getModel()?.getValueLength() ?? 0;
  let length = getLength();
  created.onDidChangeModelContent(({ changes, isFlush }) => {
    const before = length;
    length = getLength();
    const [change] = changes;
    if (isFlush || !change) return; // `loadIssue` replaced the text.
    const { rangeLength, text } = change;
    const now = created.getValue();
    const isAnother = rangeLength >= before && text !== '';
    // More than one character at a time is a paste.
    const isReplacement = isAnother && text.length > 1;
    if (isReplacement) recordPaste(now);
    editIssue(now, { isReplacement, isAnother });
  });
}

function FetchedFrom() {
  const source = useSearch((state) => state.issue.source);
  return (
    source && (
      <span title={source.url}>
        <SourceText text={source.label} />
      </span>
    )
  );
}

/**
 * Gives the blocks of code and output that the engine found a background. If the text was edited since the search, the
 * old decorations stay and move along with the edits; the response to the new text follows soon.
 */
function decorateBlocks(
  issueEditor: editor.IStandaloneCodeEditor,
  decorations: editor.IEditorDecorationsCollection,
  report: IssueReport | null,
): void {
  const model = issueEditor.getModel();
  const lines = model && findBlockLines(report, model);
  if (!lines) return;
  decorations.set(
    lines.map(([first, last]) => ({
      range: { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn: 1 },
      options: { isWholeLine: true, className: styles.block },
    })),
  );
}
