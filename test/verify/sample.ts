/** A ranking of sample chunks, and what its verification needs. */

import { VerifierFile } from '../../src/services/verify/verifier-file.ts';
import {
  type VerifiableRanking,
  type VerifyOptions,
  verifyRanking,
} from '../../src/services/verify/verify.ts';
import type { ChunkDetail } from '../../src/shared/detail.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { RankedChunk } from '../../src/shared/search.ts';
import { VERIFIER_DEFAULTS, type VerifierSettings } from '../../src/shared/verifier.ts';
import type { FakeEndpoint } from './fake-endpoint.ts';

/** Returns functions `f1`, `f2`, … by rank; `codes` replaces the code of some. */
export function ranking(count: number, codes: Record<string, string> = {}): VerifiableRanking {
  const results = Array.from({ length: count }, (_, at): RankedChunk => {
    const name = `f${at + 1}`;
    return {
      address: `a.py::${name}`,
      path: 'a.py',
      qualifiedName: name,
      ordinal: 0,
      name,
      kind: 'function',
      language: 'python',
      role: 'source',
      startLine: at * 2 + 1,
      endLine: at * 2 + 2,
      rank: at + 1,
      score: count - at,
      evidence: {},
    };
  });
  const show = async ({ chunk: address }: { chunk: string }) => {
    const name = address.slice(address.indexOf('::') + 2);
    if (codes[name] === '') throw new LocusError('not-found', 'there is no such chunk', 'search');
    return { code: codes[name] ?? `def ${name}():\n    pass\n` } as ChunkDetail;
  };
  return { repository: { show }, root: '/src/shop', issue: 'Cookies are cut short', results };
}

/** Verifies against an endpoint, with short waits before retries. */
export function verifyAt(
  { address }: Pick<FakeEndpoint, 'address'>,
  { results, ...rest }: VerifiableRanking,
  {
    settings,
    ...options
  }: Partial<Omit<VerifyOptions, 'settings'>> & {
    settings?: Partial<VerifierSettings>;
  } = {},
) {
  return verifyRanking(
    { results, ...rest },
    {
      settings: { ...VERIFIER_DEFAULTS, address, model: 'tiny', ...settings },
      file: new VerifierFile('/nowhere', {}),
      signal: new AbortController().signal,
      backoffMs: 1,
      ...options,
    },
  );
}

/** Returns names in the verified order. */
export const namesOf = ({ chunks }: { chunks: readonly { address: string }[] }): string[] =>
  chunks.map(({ address }) => address.slice(address.indexOf('::') + 2));

export const engineOrder = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `f${at + 1}`);
