/** Verification of the list by a language model: its state, and its views in the list and the settings. */
import { lazy } from 'react';

export { VerdictLine } from './VerdictLine.tsx';
export { VerifyBar, VerifyButton } from './VerifyBar.tsx';
export { useVerify } from './verify.ts';

/** Loaded with the settings. */
export const VerifierSettings = lazy(() =>
  import('./VerifierSettings.tsx').then(({ VerifierSettings }) => ({ default: VerifierSettings })),
);
