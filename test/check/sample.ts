/** A ranking of sample chunks, and what its check needs. */

import type { CheckableRanking } from '../../src/services/check/candidates.ts';
import { type CheckOptions, checkRanking } from '../../src/services/check/check.ts';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { CHECK_DEFAULTS, type CheckSettings } from '../../src/shared/check.ts';
import type { ChunkDetail, FileDetail } from '../../src/shared/detail.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { RankedChunk } from '../../src/shared/search.ts';
import type { FakeEndpoint } from './fake-endpoint.ts';

/** Returns functions `f1`, `f2`, … by rank; `codes` replaces the code of some, `calls` has the calls of some. */
export function ranking(
  count: number,
  codes: Record<string, string> = {},
  calls: Record<string, { callee: string }[]> = {},
): CheckableRanking {
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
  const codeOf = (name: string) => codes[name] ?? `def ${name}():\n    pass`;
  const names = results.map(({ name }) => name).filter((name) => codes[name] !== '');
  const lines: string[] = [];
  const chunks = names.map((name) => {
    const startLine = lines.length + 1;
    lines.push(...codeOf(name).split('\n'));
    const result = results.find((one) => one.name === name) as RankedChunk;
    return { ...result, startLine, headerLine: startLine, endLine: lines.length };
  });
  const file = async () =>
    ({
      path: 'a.py',
      text: lines.join('\n'),
      language: 'python',
      role: 'source',
      chunks,
    }) as FileDetail;
  const show = async ({ chunk: address }: { chunk: string }) => {
    const name = address.slice(address.indexOf('::') + 2);
    if (codes[name] === '') throw new LocusError('not-found', 'there is no such chunk', 'search');
    return { code: codeOf(name), callees: calls[name] ?? [] } as unknown as ChunkDetail;
  };
  return {
    repository: { show, file },
    root: '/src/shop',
    issue: 'Cookies are cut short',
    results,
    frames: [],
    search: async () => [],
  };
}

/** Checks with an endpoint, with short waits before retries, and takes the model's order as it is. */
export function checkAt(
  { address }: Pick<FakeEndpoint, 'address'>,
  { results, ...rest }: CheckableRanking,
  {
    settings,
    ...options
  }: Partial<Omit<CheckOptions, 'settings'>> & {
    settings?: Partial<CheckSettings>;
  } = {},
) {
  return checkRanking(
    { results, ...rest },
    {
      settings: { ...CHECK_DEFAULTS, address, model: 'tiny', ...settings },
      file: new CheckFile('/nowhere', {}),
      signal: new AbortController().signal,
      backoffMs: 1,
      weight: 1,
      ...options,
    },
  );
}

/** Returns names in the checked order. */
export const namesOf = ({ chunks }: { chunks: readonly { address: string }[] }): string[] =>
  chunks.map(({ address }) => address.slice(address.indexOf('::') + 2));

export const engineOrder = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `f${at + 1}`);
