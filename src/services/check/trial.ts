/** Asks a language model about the sample repository, to see whether it can check lists. Only the sample's invented code is sent. */
import type { CheckSettings, CheckTrial } from '../../shared/check.ts';
import { SAMPLE_ANSWER } from '../sample.ts';
import type { CheckableRanking } from './candidates.ts';
import { checkRanking } from './check.ts';
import type { CheckFile } from './check-file.ts';

export interface TrialOptions {
  settings: CheckSettings;
  file: Pick<CheckFile, 'key' | 'state' | 'folder'>;
  /** Key to use instead of the stored one, which stays. */
  key: string | null;
  signal: AbortSignal;
}

/**
 * Checks a ranking of the sample. The candidates are sent by name, so that repeating their order is no right answer.
 * @throws as `checkRanking`
 */
export async function tryModel(
  ranking: CheckableRanking,
  { settings, file, key, signal }: TrialOptions,
): Promise<CheckTrial> {
  const results = ranking.results
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .map((result, at) => ({ ...result, rank: at + 1 }));
  const began = performance.now();
  const { chunks, size, failure } = await checkRanking(
    { ...ranking, results },
    {
      settings,
      signal,
      // The order that the model gives, not one that is combined with the order by name.
      weight: 1,
      file: {
        folder: file.folder,
        // The user asked for this request, which holds none of their code.
        state: (origin) => ({ ...file.state(origin), agreed: [ranking.root] }),
        key: async (origin) => key ?? file.key(origin),
      },
    },
  );
  const found = chunks.find(({ address }) => address === SAMPLE_ANSWER);
  return {
    tookMs: Math.round(performance.now() - began),
    rank: failure ? null : (found?.to ?? null),
    size,
    failure,
  };
}
