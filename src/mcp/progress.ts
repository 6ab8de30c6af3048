import type { ServerContext } from '@modelcontextprotocol/server';
import { formatCount } from '../shared/format-count.ts';
import type { IndexPhase, IndexProgress } from '../shared/indexing.ts';

/** Phases in order, each with the unit that it counts. */
const PHASES: [IndexPhase, string][] = [
  ['download', 'parts of the shared index downloaded'],
  ['scan', 'files listed'],
  ['parse', 'files parsed'],
  ['graph', 'files linked'],
  ['encode', 'functions encoded'],
  ['history', 'commits read'],
  ['rerank', 'results reranked'],
];

/** Formats progress as `1,200 of 2,900 files parsed`. */
export function formatProgress({ phase, done, total }: IndexProgress): string {
  const unit = PHASES.find(([name]) => name === phase)?.[1] ?? phase;
  const of = total > done ? ` of ${formatCount(total)}` : '';
  return `${formatCount(done)}${of} ${unit}`;
}

/**
 * Returns a listener that sends the progress of indexing to the client, in percent, with equal weight for each phase;
 * undefined if the client did not ask for progress.
 */
export function createProgressListener({
  mcpReq,
}: ServerContext): ((progress: IndexProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let sentPercent = -1;
  return (progress) => {
    const percent = computePercent(progress);
    // Progress must not decrease, as it would when a second run starts.
    if (progress.done === 0 || percent <= sentPercent) return;
    sentPercent = percent;
    const params = {
      progressToken,
      progress: percent,
      total: 100,
      message: formatProgress(progress),
    };
    // A client that is gone does not get the answer either.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function computePercent({ phase, done, total }: IndexProgress): number {
  const index = PHASES.findIndex(([name]) => name === phase);
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return Math.floor((100 * (index + share)) / PHASES.length);
}
