/** Starts the window. All listeners and commands are registered here; importing a module has no side effects. */

import { start as check } from '../features/check/start.ts';
import { start as compare } from '../features/compare/start.ts';
import { start as link } from '../features/deep-link/start.ts';
import { start as exchange } from '../features/exchange/start.ts';
import { start as fleet } from '../features/fleet/start.ts';
import { start as investigate } from '../features/investigate/start.ts';
import { start as issue } from '../features/issue/start.ts';
import { start as modelInput } from '../features/model-input/start.ts';
import { start as neighbors } from '../features/neighbors/start.ts';
import { start as palette } from '../features/palette/start.ts';
import { start as preview } from '../features/preview/start.ts';
import { start as results } from '../features/results/start.ts';
import { start as search } from '../features/search/start.ts';
import { start as settings } from '../features/settings/start.ts';
import { start as status } from '../features/status/start.ts';
import { start as updates } from '../features/updates/start.ts';
import { start as welcome } from '../features/welcome/start.ts';
import { desktop } from '../platform/host.ts';
import { followIndex } from '../platform/index-changes.ts';
import { bindKeys } from '../platform/keys.ts';
import { type Stop, stopAll } from '../platform/lifetime.ts';
import { followEngine } from '../platform/state.ts';
import { followSystemTheme } from '../ui/theme.ts';
import { followDesktop } from './desktop.ts';
import { start as view } from './view-commands.ts';

/** Features in the order of their commands in menus and in the palette. */
const FEATURES = [
  compare,
  exchange,
  fleet,
  issue,
  link,
  neighbors,
  modelInput,
  palette,
  preview,
  results,
  settings,
  status,
  check,
  investigate,
  updates,
  welcome,
  view,
];

export const startWindow = (): Stop =>
  stopAll(
    followSystemTheme(),
    followIndex(),
    search(),
    ...FEATURES.map((start) => start()),
    followEngine(),
    bindKeys(),
    desktop ? followDesktop(desktop) : () => {},
  );
