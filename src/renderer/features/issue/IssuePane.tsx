import { FilePlus2, Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { keysOf, runCommand } from '../../app/commands.ts';
import { useApp } from '../../app/state.ts';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { IconButton, Pane } from '../../ui/controls.tsx';
import type { editor } from '../../ui/monaco.ts';
import { forgetChoice, searchSoon } from '../results/search.ts';
import { beginAnew, editIssue, loadIssue, useIssue } from './issue.ts';

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  language: 'markdown',
  ariaLabel: 'Issue',
  placeholder: 'Paste an issue here: a title, what happens, a traceback …',
  wordWrap: 'on',
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
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  occurrencesHighlight: 'off',
  unicodeHighlight: { ambiguousCharacters: false },
};

/** Colours for pairs of brackets are for programs. */
const PLAIN_BRACKETS = { enabled: false, independentColorPoolPerBracketType: false };

/** A paste over all of a text at least this long is taken for another issue. */
const ANOTHER_ISSUE = 40;

export function IssuePane() {
  const made = useRef<editor.IStandaloneCodeEditor>(null);
  const loads = useIssue((state) => state.loads);
  useLastIssue();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a load is the signal to show its text
  useEffect(() => {
    const { text } = useIssue.getState();
    if (made.current && made.current.getValue() !== text) made.current.setValue(text);
    forgetChoice();
    searchSoon(0);
  }, [loads]);
  return (
    <Pane
      name="issue"
      title="Issue"
      actions={
        <>
          <IconButton
            label="New issue"
            keys={keysOf('issue.new')}
            onClick={() => runCommand('issue.new')}
          >
            <FilePlus2 size={15} />
          </IconButton>
          <IconButton
            label="Search"
            keys={keysOf('issue.search')}
            onClick={() => runCommand('issue.search')}
          >
            <Play size={15} />
          </IconButton>
        </>
      }
    >
      <CodeEditor
        options={OPTIONS}
        onReady={(created) => {
          made.current = created;
          // It may have been loaded while Monaco was.
          created.setValue(useIssue.getState().text);
          created.getModel()?.updateOptions({ bracketColorizationOptions: PLAIN_BRACKETS });
          created.focus();
          follow(created);
          return undefined;
        }}
      />
    </Pane>
  );
}

/** Tells the state of every edit, and searches once typing pauses. */
function follow(created: editor.IStandaloneCodeEditor): void {
  let length = created.getModel()!.getValueLength();
  created.onDidChangeModelContent(({ changes, isFlush, isUndoing, isRedoing }) => {
    const before = length;
    length = created.getModel()!.getValueLength();
    if (isFlush) return; // `loadIssue` did it.
    const [{ rangeLength, text }] = changes;
    const replacesAll = rangeLength >= before && text.length >= ANOTHER_ISSUE;
    if (replacesAll && before >= ANOTHER_ISSUE && !isUndoing && !isRedoing) beginAnew();
    if (replacesAll) forgetChoice();
    editIssue(created.getValue());
    searchSoon();
  });
}

/** Goes on with the issue that was worked on last in this repository; in the sample, with the one made for it. */
function useLastIssue(): void {
  const repository = useApp((state) => state.repository);
  useEffect(() => {
    if (!repository) return;
    const { lastIssue, root } = repository;
    const { sample } = useApp.getState().welcome ?? {};
    if (lastIssue) loadIssue(lastIssue.text, lastIssue.id);
    else loadIssue(root === sample?.root ? sample.issue : '');
  }, [repository]);
}
