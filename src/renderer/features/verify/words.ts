import { tokensOf, type Verdict, type VerifierUse } from '../../../shared/verifier.ts';

export const VERDICT_TITLES: Record<Verdict, string> = {
  edit: 'edit',
  context: 'context',
  no: 'no',
};

export const number = (count: number): string => count.toLocaleString('en');

/** `3 requests, 84,120 characters (≈ 21,030 tokens)` */
export function amount({ requests, characters }: VerifierUse): string {
  const asked = `${number(requests)} ${requests === 1 ? 'request' : 'requests'}`;
  return `${asked}, ${number(characters)} characters (≈ ${number(tokensOf(characters))} tokens)`;
}
