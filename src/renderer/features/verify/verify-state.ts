import { create } from 'zustand';
import type { Verification, VerifierPlan, VerifierUse } from '../../../shared/verifier.ts';

interface VerifyState {
  /** What is under way; `used` grows with every request. */
  running: { plan: VerifierPlan | null; used: VerifierUse } | null;
  /** What waits for the user's consent. */
  asking: VerifierPlan | null;
  /** Of the issue in the editor; null before the model was asked about it. */
  outcome: Verification | null;
  /** Whether the list is in the model's order, or in the engine's. */
  applied: boolean;
}

export const NOTHING: VerifyState = { running: null, asking: null, outcome: null, applied: false };

export const useVerify = create<VerifyState>(() => NOTHING);
