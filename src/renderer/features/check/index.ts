/** CheckOutcome of the list by a language model: its state, and its views in the list and the settings. */
import { lazy } from 'react';

export { CheckBar, CheckButton } from './CheckBar.tsx';
export { CheckedLine } from './CheckedLine.tsx';
export { useCheck } from './check.ts';

/** Loaded with the settings. */
export const CheckSettings = lazy(() =>
  import('./CheckSettings.tsx').then(({ CheckSettings }) => ({ default: CheckSettings })),
);
