import { type Command, registerCommands } from '../platform/commands.ts';
import type { Stop } from '../platform/lifetime.ts';
import { focusNextPane, focusPane } from '../platform/panes.ts';
import { changeSettings, useApp } from '../platform/state.ts';

const isOpen = () => useApp.getState().repository !== null;
const ZOOM_STEP = 0.1;

const COMMANDS: readonly Command[] = [
  {
    id: 'view.nextPane',
    title: 'Next pane',
    keys: 'F6',
    enabled: isOpen,
    run: () => focusNextPane(1),
  },
  {
    id: 'view.previousPane',
    title: 'Previous pane',
    keys: 'Shift+F6',
    enabled: isOpen,
    run: () => focusNextPane(-1),
  },
  {
    id: 'view.issue',
    title: 'Go to issue',
    keys: '$mod+1',
    enabled: isOpen,
    run: () => focusPane('issue'),
  },
  {
    id: 'view.results',
    title: 'Go to list',
    keys: '$mod+2',
    enabled: isOpen,
    run: () => focusPane('results'),
  },
  {
    id: 'view.side',
    title: 'Go to code view',
    keys: '$mod+3',
    enabled: isOpen,
    run: () => focusPane('side'),
  },
  {
    id: 'view.toggleTheme',
    title: 'Toggle dark theme',
    synonyms: 'light appearance mode colours colors',
    keys: '$mod+Alt+T',
    overDialogs: true,
    run: () => changeSettings({ theme: isDark() ? 'light' : 'dark' }),
  },
  {
    id: 'view.systemTheme',
    title: 'Use system theme',
    synonyms: 'light dark automatic',
    overDialogs: true,
    run: () => changeSettings({ theme: 'system' }),
  },
  {
    id: 'view.toggleContrast',
    title: 'Toggle high contrast',
    synonyms: 'theme accessibility',
    overDialogs: true,
    run: () => {
      const more = useApp.getState().settings?.contrast === 'more';
      return changeSettings({ contrast: more ? 'system' : 'more' });
    },
  },
  {
    id: 'view.zoomIn',
    title: 'Zoom in',
    synonyms: 'bigger larger font size',
    keys: '$mod+=',
    overDialogs: true,
    run: () => zoom(ZOOM_STEP),
  },
  {
    id: 'view.zoomOut',
    title: 'Zoom out',
    synonyms: 'smaller font size',
    keys: '$mod+-',
    overDialogs: true,
    run: () => zoom(-ZOOM_STEP),
  },
  {
    id: 'view.zoomReset',
    title: 'Zoom to 100 %',
    synonyms: 'actual size',
    keys: '$mod+0',
    overDialogs: true,
    run: () => changeSettings({ zoom: 1 }),
  },
];

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Zoom that the engine has not confirmed yet, since keys can be pressed faster than it answers. */
let requested: number | null = null;

async function zoom(by: number): Promise<void> {
  const now = requested ?? useApp.getState().settings?.zoom ?? 1;
  const wanted = Math.min(3, Math.max(0.5, Math.round((now + by) * 10) / 10));
  requested = wanted;
  await changeSettings({ zoom: wanted }).finally(() => {
    if (requested === wanted) requested = null;
  });
}

export const start = (): Stop => registerCommands(COMMANDS);
