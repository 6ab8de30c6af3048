import { create } from 'zustand';

export const PANES = ['issue', 'results', 'side'] as const;
export type PaneName = (typeof PANES)[number];

interface Panes {
  /** Selected tab of the right-hand pane, an id in `PANELS`. */
  panel: string;
  /** True if there is room for only one pane, which is `shown`. */
  single: boolean;
  shown: PaneName;
}

export const usePanes = create<Panes>(() => ({ panel: 'preview', single: false, shown: 'issue' }));

/** Shows a pane, if there is room for only one, and then calls `then`. */
export function showPane(name: PaneName, then: () => void = () => {}): void {
  const { single, shown } = usePanes.getState();
  usePanes.setState({ shown: name });
  // A hidden pane cannot take the focus until it has been rendered.
  if (single && shown !== name) requestAnimationFrame(then);
  else then();
}

export function showPanel(panel: string): void {
  usePanes.setState({ panel });
  showPane('side');
}

/** Shows a panel and focuses its main element once it is rendered. */
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

/** Focuses the main element of a pane. */
export function focusPane(name: PaneName): void {
  showPane(name, () => {
    const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`);
    const target = pane?.querySelector<HTMLElement>(
      '[data-pane-focus], textarea, .native-edit-context',
    );
    // A hidden element, such as an editor without a file, cannot take the focus.
    const isShown = target?.checkVisibility({ visibilityProperty: true });
    (isShown ? target : pane)?.focus();
  });
}

/** Returns the pane that has the focus; null for none. */
export const getFocusedPane = (): PaneName | null => findPane(document.activeElement);

/** Returns the pane that contains an element; null for none. */
export function findPane(element: Element | null): PaneName | null {
  const pane = element?.closest<HTMLElement>('[data-pane]')?.dataset.pane;
  return PANES.find((name) => name === pane) ?? null;
}

/** Moves the focus to the next pane, or with -1 to the previous one. */
export function focusNextPane(step: 1 | -1): void {
  const current = getFocusedPane();
  const at = current ? PANES.indexOf(current) : step === 1 ? -1 : 0;
  const next = PANES[(at + step + PANES.length) % PANES.length];
  if (next) focusPane(next);
}

/** Moves the focus after a dialog: to `pane`, else back to where it was, else to the list. */
export function focusAfterDialog(pane: PaneName | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (pane || isLost) focusPane(pane ?? 'results');
}
