/** A language model's verdicts on the ranking: their state, and what the list and the settings show of it. */
import { lazy } from 'react';

export { VerdictLine } from './VerdictLine.tsx';
export { VerifyBar, VerifyButton } from './VerifyBar.tsx';
export { useVerify } from './verify.ts';

/** Loaded with the settings. */
export const VerifierSettings = lazy(() =>
  import('./VerifierSettings.tsx').then(({ VerifierSettings }) => ({ default: VerifierSettings })),
);
