import { useLayoutEffect, useSyncExternalStore } from 'react';
import { paneOf, showPane, usePanes } from '../platform/panes.ts';
import { onThemeChange } from '../ui/theme.ts';
import { type Arrangement, arrangementOf } from './arrangement.ts';

/** What had the focus before the panes are arranged anew, which takes it from all that is moved. */
let held: Element | null = null;

/** How the panes stand in this window, now and whenever it is resized or zoomed. The focus stays where it is. */
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
