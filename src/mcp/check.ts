/** Checks a list with the language model of the MCP client. */
import { CHECK_DEFAULTS, type CheckOutcome } from '../shared/check.ts';
import { formatFailure } from '../shared/errors.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchResponse } from '../shared/search.ts';
import { SamplingModel } from './sampling.ts';
import type { ToolCall } from './tool.ts';

export interface ClientCheck {
  /** Null if there was no check, which leaves the list unchanged. */
  outcome: CheckOutcome | null;
  notes: string[];
}

/** Asks the client's model about the first results. A failure leaves the list unchanged, and a note says so. */
export async function checkWithClient(
  { requestSampling, signal }: Pick<ToolCall, 'requestSampling' | 'signal'>,
  repository: Repository,
  issue: string,
  { results, issue: { frames }, repository: { root } }: SearchResponse,
): Promise<ClientCheck> {
  if (results.length === 0) return { outcome: null, notes: [] };
  if (requestSampling === null)
    return { outcome: null, notes: ['Not checked: this client does not offer its model.'] };
  // Imported when needed, because agents allow a server little time to start.
  const { checkWithModel } = await import('../services/check/check.ts');
  const outcome = await checkWithModel(
    {
      model: 'The model of the client',
      place: 'through MCP',
      isExternal: true,
      connect: async (budget) => new SamplingModel(requestSampling, budget),
    },
    // A second request would ask the user of the client again.
    { repository, root, issue, results, frames, search: async () => [] },
    { settings: { ...CHECK_DEFAULTS, lookAgain: false }, signal },
  );
  return outcome.failure
    ? { outcome: null, notes: [`Not checked: ${formatFailure(outcome.failure)}`] }
    : { outcome, notes: outcome.notes };
}
