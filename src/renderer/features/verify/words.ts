import { tokensOf, type VerifierUse } from '../../../shared/verifier.ts';
import { counted, number } from '../../ui/counts.ts';

/** `3 requests, 84,120 characters (≈ 21,030 tokens)` */
export function amount({ requests, characters }: VerifierUse): string {
  return `${counted(requests, 'request')}, ${number(characters)} characters (≈ ${number(tokensOf(characters))} tokens)`;
}
