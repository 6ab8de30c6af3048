import { isDeepStrictEqual } from 'node:util';
import { logFailure } from '../../base/log.ts';
import type { ChunkAddress } from '../../shared/address.ts';
import type { CheckOutcome } from '../../shared/check.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import { findChunks } from '../exchange/find-chunks.ts';
import type { CheckableRanking } from './candidates.ts';
import { type CheckOptions, checkRanking } from './check.ts';
import type { StoredChecks } from './stored-checks.ts';

/** Checks a ranking and stores the outcome with its issue, unless the check failed. Throws as `checkRanking`. */
export async function checkAndStore(
  ranking: CheckableRanking & { repository: Pick<QueryTarget, 'resolveAnchors'> },
  options: CheckOptions,
  { checks, root }: { checks: StoredChecks; root: string },
): Promise<CheckOutcome> {
  const { repository, issue, results } = ranking;
  // Read before the request, since the code may change while the model answers.
  const before = await findChunks(results.map(getAddress), repository);
  const outcome = await checkRanking(ranking, options);
  if (outcome.failure !== null) return outcome;
  if (outcome.used.requests === 0) {
    const earlier = await checks.find({ root, issue }, repository);
    // The model’s answer was stored: the check is as old as that.
    if (earlier && isDeepStrictEqual(earlier.chunks, outcome.chunks))
      return { ...outcome, checkedAt: earlier.checkedAt };
  }
  const added = outcome.chunks.map(getAddress).filter((address) => !before.has(address));
  const contents = new Map([...before, ...(await findChunks(added, repository))]);
  try {
    checks.set({ root, issue }, outcome, contents);
  } catch (error) {
    // As on a full disk. The list is in the checked order all the same.
    logFailure(error);
  }
  return outcome;
}

const getAddress = ({ address }: { address: ChunkAddress }): ChunkAddress => address;
