import { FilePlus2, FolderClock, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { IssueReport } from '../../../shared/search.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { Pane, Source } from '../../ui/controls.tsx';
import { useFileDrop } from '../../ui/file-drop.ts';
import type { editor } from '../../ui/monaco.ts';
import { editIssue, issueNow, pasteLink, useResponse, useSearch } from '../search/index.ts';
import { loadIssueFile } from './files.ts';
import styles from './issue.module.css';
import { LinkBar } from './LinkBar.tsx';
import { useLitWords } from './lit-words.ts';
import { blockLines } from './mentions.ts';
import { explainMentions, goToMention, placeMentions } from './placed-mentions.ts';
import { Recognised } from './Recognised.tsx';
import { setIssueEditor } from './reveal.ts';

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  language: 'markdown',
  ariaLabel: 'Issue',
  placeholder: 'Paste an issue here: a title, what happens, a traceback …',
  wordWrap: 'on',
  // Prose and paths break at blanks; Monaco's own list breaks `a.b`, `(x` and `/path` apart.
  wordWrapBreakBeforeCharacters: '',
  wordWrapBreakAfterCharacters: ' \t-',
  wrappingIndent: 'same',
  lineNumbers: 'off',
  glyphMargin: false,
  folding: false,
  // Prose and logs, not a program: nothing is added to what is typed or pasted.
  autoIndent: 'none',
  autoClosingBrackets: 'never',
  autoClosingQuotes: 'never',
  autoSurround: 'never',
  guides: { indentation: false },
  lineDecorationsWidth: 12,
  lineNumbersMinChars: 0,
  renderLineHighlight: 'none',
  overviewRulerLanes: 0,
  // Indented lines of a log are no headings of what follows.
  stickyScroll: { enabled: false },
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  occurrencesHighlight: 'off',
  matchBrackets: 'never',
  unicodeHighlight: { ambiguousCharacters: false },
  hover: { delay: 250, above: false },
  // Files that are dropped are issues, not text to insert.
  dropIntoEditor: { enabled: false },
};

/** A paste over all of a text at least this long is taken for another issue. */
const ANOTHER_ISSUE = 40;

export function IssuePane() {
  const made = useRef<editor.IStandaloneCodeEditor>(null);
  const ground = useRef<editor.IEditorDecorationsCollection>(null);
  const [ready, setReady] = useState(false);
  const loads = useSearch((state) => state.issue.loads);
  const report = useResponse()?.issue ?? null;
  const { over, handlers } = useFileDrop(takeDropped);
  useLitWords(ready ? made.current : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a load is the signal to show its text
  useEffect(() => {
    const { text } = issueNow();
    if (made.current && made.current.getValue() !== text) made.current.setValue(text);
  }, [loads]);
  useEffect(() => {
    if (!ready || !made.current) return;
    placeMentions(made.current, report);
    if (ground.current) groundBlocks(made.current, ground.current, report);
  }, [ready, report]);
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
        <LinkBar />
        <div className={styles.editor}>
          <CodeEditor
            options={OPTIONS}
            outline="prose"
            onReady={(created, monaco) => {
              made.current = created;
              // It may have been loaded while Monaco was.
              created.setValue(issueNow().text);
              if (isAwaited()) created.focus();
              follow(created);
              ground.current = created.createDecorationsCollection();
              explainMentions(monaco, created);
              created.onMouseDown(({ event, target }) => {
                if ((event.ctrlKey || event.metaKey) && target.position)
                  goToMention(target.position);
              });
              setReady(true);
              setIssueEditor(created);
              return () => {
                setIssueEditor(null);
                made.current = null;
              };
            }}
          />
        </div>
        <Recognised report={report} />
        {over && <div className={styles.drop}>Drop to open as an issue</div>}
      </div>
    </Pane>
  );
}

/** Returns true if the focus is nowhere, or was moved to the pane before the editor was there. */
function isAwaited(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement?.getAttribute('data-pane') === 'issue';
}

/** Takes files; folders are for the window. */
function takeDropped({ items, files: [file] }: DataTransfer): boolean | undefined {
  if (items[0]?.webkitGetAsEntry?.()?.isDirectory) return false;
  if (file) loadIssueFile(file);
}

/** Tells the state of every edit. */
function follow(created: editor.IStandaloneCodeEditor): void {
  const lengthNow = () => created.getModel()?.getValueLength() ?? 0;
  let length = lengthNow();
  created.onDidChangeModelContent(({ changes, isFlush, isUndoing, isRedoing }) => {
    const before = length;
    length = lengthNow();
    const [change] = changes;
    if (isFlush || !change) return; // `loadIssue` did it.
    const { rangeLength, text } = change;
    const now = created.getValue();
    // Typed text comes a character at a time.
    if (rangeLength >= before && text.length > 1) pasteLink(now);
    const isReplacement = rangeLength >= before && text.length >= ANOTHER_ISSUE;
    const isAnother = isReplacement && before >= ANOTHER_ISSUE && !isUndoing && !isRedoing;
    editIssue(now, { isReplacement, isAnother });
  });
}

function FetchedFrom() {
  const source = useSearch((state) => state.issue.source);
  return (
    source && (
      <span title={source.url}>
        <Source text={source.label} />
      </span>
    )
  );
}

/**
 * Puts the blocks that the engine has found on their ground. Where the text has been edited since it was sent, the ground
 * stays as it is and moves along with the edits: an answer to the newer text follows soon.
 */
function groundBlocks(
  made: editor.IStandaloneCodeEditor,
  marks: editor.IEditorDecorationsCollection,
  report: IssueReport | null,
): void {
  const model = made.getModel();
  const lines = model && blockLines(report, model);
  if (!lines) return;
  marks.set(
    lines.map(([first, last]) => ({
      range: { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn: 1 },
      options: { isWholeLine: true, className: styles.block },
    })),
  );
}
