/** Shows text of the issue that another view refers to, such as a quoted name or a frame. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import { showPane } from '../../platform/panes.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/to-range.ts';

let issueEditor: editor.IStandaloneCodeEditor | null = null;

/** Sets the editor that shows the issue; null when it is closed. */
export function setIssueEditor(current: editor.IStandaloneCodeEditor | null): void {
  issueEditor = current;
}

/** Selects and focuses a span of the issue. If the text has changed since, selects the nearest occurrence of the same words. */
export function revealInIssue({ start, end, text }: IssueSpan): void {
  const model = issueEditor?.getModel();
  if (!issueEditor || !model) return;
  const value = model.getValue();
  const at = value.slice(start, end) === text ? start : findNearest(value, text, start);
  if (at < 0) return;
  const selection = toRange(model, at, at + text.length);
  issueEditor.setSelection(selection);
  issueEditor.revealRangeInCenterIfOutsideViewport(selection);
  const shownEditor = issueEditor;
  showPane('issue', () => shownEditor.focus());
}

function findNearest(value: string, text: string, start: number): number {
  const before = value.lastIndexOf(text, start);
  const after = value.indexOf(text, start);
  if (before < 0 || after < 0) return Math.max(before, after);
  return start - before < after - start ? before : after;
}
