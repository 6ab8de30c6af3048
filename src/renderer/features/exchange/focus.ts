import { focusPane, type PaneName } from '../../platform/panes.ts';

/** Where work goes on once a dialog has closed: in `pane`, else where the focus was, else in the list. */
export function focusAfterDialog(pane: PaneName | null): void {
  const lost = document.activeElement === null || document.activeElement === document.body;
  if (pane || lost) focusPane(pane ?? 'results');
}
