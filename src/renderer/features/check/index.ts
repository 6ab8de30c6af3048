/** Check of the list by a language model: its state, and its views in the list and the settings. */
import { lazy } from 'react';

export { CheckBar } from './CheckBar.tsx';
export { CheckButton } from './CheckButton.tsx';
export { CheckedLine } from './CheckedLine.tsx';
export { useCheck, useListCheck } from './check.ts';

/** Loaded with the settings. */
export const CheckSettings = lazy(() =>
  import('./CheckSettings.tsx').then(({ CheckSettings }) => ({ default: CheckSettings })),
);
