/** Dialogs that any view can open. The shell maps their names to components. */
import { create } from 'zustand';

export type OverlayName =
  | 'folders'
  | 'several'
  | 'fleet'
  | 'palette'
  | 'goto'
  | 'versions'
  | 'compare'
  | 'history'
  | 'settings'
  | 'export'
  | 'import'
  | 'shortcuts'
  | 'check'
  | 'setUpCheck'
  | 'investigate'
  | 'link'
  | 'log'
  | 'updates';

/** `seen`: dialogs that were opened before. They stay mounted, so that they can animate while closing. */
export const useOverlay = create<{ open: OverlayName | null; seen: OverlayName[] }>(() => ({
  open: null,
  seen: [],
}));

export function openOverlay(name: OverlayName): void {
  useOverlay.setState(({ seen }) => ({
    open: name,
    seen: seen.includes(name) ? seen : [...seen, name],
  }));
}

/** Returns true while a dialog is open; popovers and menus do not count. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[data-dialog][data-state="open"]') !== null;

export const closeOverlay = (): void => useOverlay.setState({ open: null });
