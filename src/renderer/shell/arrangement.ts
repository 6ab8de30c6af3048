import { useLayoutEffect, useSyncExternalStore } from 'react';
import { paneOf, showPane, usePanes } from '../platform/panes.ts';
import { onThemeChange } from '../ui/theme.ts';

/** `columns`: side by side. `stacked`: the list below the issue, the code beside both. `single`: one at a time. */
export type Arrangement = 'columns' | 'stacked' | 'single';

/** Width and height of a window in rem, which grow less as its text grows. */
export function arrangementOf(width: number, height: number): Arrangement {
  if (width >= 70) return 'columns';
  return width >= 54 && height >= 40 ? 'stacked' : 'single';
}

/** Element that had the focus before the panes are rearranged: an element that is moved loses it. */
let held: Element | null = null;

/** Returns the arrangement of the panes, again whenever the window is resized or zoomed. Keeps the focus where it is. */
export function useArrangement(): Arrangement {
  const arrangement = useSyncExternalStore(follow, () => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return arrangementOf(innerWidth / rem, innerHeight / rem);
  });
  useLayoutEffect(() => {
    const focused = held;
    held = null;
    usePanes.setState({ single: arrangement === 'single' });
    if (!(focused instanceof HTMLElement) || !focused.isConnected) return;
    const pane = paneOf(focused);
    if (pane) showPane(pane, () => focused.focus());
  }, [arrangement]);
  return arrangement;
}

function follow(changed: () => void): () => void {
  const look = () => {
    held = document.activeElement;
    changed();
  };
  const stop = onThemeChange(look);
  addEventListener('resize', look);
  return () => {
    stop();
    removeEventListener('resize', look);
  };
}
