import { useLayoutEffect, useSyncExternalStore } from 'react';
import { findPane, showPane, usePanes } from '../platform/panes.ts';
import { onThemeChange } from '../ui/theme.ts';

/** Layout of the panes. `columns`: side by side. `stacked`: list below the issue, code beside both. `single`: one at a time. */
export type Arrangement = 'columns' | 'stacked' | 'single';

/** Chooses the layout for a window's width and height in rem. Larger text means fewer rem. */
export function chooseArrangement(width: number, height: number): Arrangement {
  if (width >= 70) return 'columns';
  return width >= 54 && height >= 40 ? 'stacked' : 'single';
}

/** Element with the focus before the panes are rearranged, which moving an element would lose. */
let focusedBefore: Element | null = null;

/** Returns the layout of the panes, updated when the window is resized or zoomed. Keeps the focus. */
export function useArrangement(): Arrangement {
  const arrangement = useSyncExternalStore(follow, () => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return chooseArrangement(innerWidth / rem, innerHeight / rem);
  });
  useLayoutEffect(() => {
    const focused = focusedBefore;
    focusedBefore = null;
    usePanes.setState({ single: arrangement === 'single' });
    if (!(focused instanceof HTMLElement) || !focused.isConnected) return;
    const pane = findPane(focused);
    if (pane) showPane(pane, () => focused.focus());
  }, [arrangement]);
  return arrangement;
}

function follow(onChange: () => void): () => void {
  const update = () => {
    focusedBefore = document.activeElement;
    onChange();
  };
  const stop = onThemeChange(update);
  addEventListener('resize', update);
  return () => {
    stop();
    removeEventListener('resize', update);
  };
}
