/** Showing in the issue's text what a view speaks of: a quoted name, a frame. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import { showPane } from '../../platform/panes.ts';
import type { editor } from '../../ui/monaco.ts';
import { toRange } from '../../ui/range-of.ts';

let issueEditor: editor.IStandaloneCodeEditor | null = null;

/** The editor that shows the issue; null when it is gone. */
export function setIssueEditor(made: editor.IStandaloneCodeEditor | null): void {
  issueEditor = made;
}

/** Selects a span of the issue, with the focus on it. When the text has changed since, the nearest same words. */
export function revealInIssue({ start, end, text }: IssueSpan): void {
  const model = issueEditor?.getModel();
  if (!issueEditor || !model) return;
  const value = model.getValue();
  const at = value.slice(start, end) === text ? start : nearest(value, text, start);
  if (at < 0) return;
  const selection = toRange(model, at, at + text.length);
  issueEditor.setSelection(selection);
  issueEditor.revealRangeInCenterIfOutsideViewport(selection);
  const target = issueEditor;
  showPane('issue', () => target.focus());
}

function nearest(value: string, text: string, start: number): number {
  const before = value.lastIndexOf(text, start);
  const after = value.indexOf(text, start);
  if (before < 0 || after < 0) return Math.max(before, after);
  return start - before < after - start ? before : after;
}
