/** Code and output in the issue have a ground of their own, on which wrapped lines stay together. */
import type { IssueReport } from '../../../shared/search.ts';
import type { editor } from '../../ui/monaco.ts';
import { blockLines } from './block-lines.ts';
import styles from './issue.module.css';

/**
 * Puts the blocks that the engine has found on their ground. Where the text has been edited since it was sent, the ground
 * stays as it is and moves along with the edits: an answer to the newer text follows soon.
 */
export function groundBlocks(
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
