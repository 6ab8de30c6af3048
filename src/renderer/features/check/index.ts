/** Check of the list by a language model: its state, and its views in the list and the settings. */
import { lazy } from 'react';

export { useCheck, useListCheck } from './check.ts';

/** Loaded with the pane of the list, before there is a list. */
export const CheckBar = lazy(() =>
  import('./views.ts').then(({ CheckBar }) => ({ default: CheckBar })),
);
export const CheckedLine = lazy(() =>
  import('./views.ts').then(({ CheckedLine }) => ({ default: CheckedLine })),
);
export const CheckButton = lazy(() =>
  import('./views.ts').then(({ CheckButton }) => ({ default: CheckButton })),
);

/** Loaded with the settings. */
export const CheckSettings = lazy(() =>
  import('./CheckSettings.tsx').then(({ CheckSettings }) => ({ default: CheckSettings })),
);
