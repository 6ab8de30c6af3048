import { create } from 'zustand';

const PANES = ['issue', 'results', 'side'] as const;
export type PaneName = (typeof PANES)[number];

/** The tab of the right-hand pane that is shown: an id of `PANELS`. */
export const usePanes = create<{ panel: string }>(() => ({ panel: 'preview' }));

export function showPanel(panel: string): void {
  usePanes.setState({ panel });
}

/** Shows a panel and, once it is there, moves the focus to what is worked with in it. */
export function showPanelAndFocus(panel: string): void {
  showPanel(panel);
  const until = performance.now() + 2000;
  const attempt = () => {
    const target = document.querySelector<HTMLElement>('[data-pane="side"] [data-pane-focus]');
    if (target) target.focus();
    else if (performance.now() < until && usePanes.getState().panel === panel) {
      requestAnimationFrame(attempt);
    }
  };
  requestAnimationFrame(attempt);
}

/** Moves the focus into a pane, to what is worked with there. */
export function focusPane(name: PaneName): void {
  const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`);
  const target = pane?.querySelector<HTMLElement>(
    '[data-pane-focus], textarea, .native-edit-context',
  );
  // What is still hidden, as an editor before its file is there, cannot take the focus.
  const isShown = target?.checkVisibility({ visibilityProperty: true });
  (isShown ? target : pane)?.focus();
}

/** The pane that has the focus; null for none. */
export function focusedPane(): PaneName | null {
  const pane = document.activeElement?.closest<HTMLElement>('[data-pane]');
  return (pane?.dataset.pane as PaneName | undefined) ?? null;
}

/** Moves the focus to the next pane, or with -1 to the previous one. */
export function focusNextPane(step: 1 | -1): void {
  const current = focusedPane();
  const at = current ? PANES.indexOf(current) : step === 1 ? -1 : 0;
  const next = PANES[(at + step + PANES.length) % PANES.length];
  if (next) focusPane(next);
}
