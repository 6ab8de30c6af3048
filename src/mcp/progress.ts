import type { ServerContext } from '@modelcontextprotocol/server';
import { grouped } from '../shared/grouped.ts';
import type { IndexPhase, IndexProgress } from '../shared/indexing.ts';

/** In the order in which they begin, with what is counted in each. */
const PHASES: [IndexPhase, string][] = [
  ['download', 'parts of the shared index taken'],
  ['scan', 'files listed'],
  ['parse', 'files parsed'],
  ['graph', 'files linked'],
  ['encode', 'functions encoded'],
  ['history', 'commits read'],
];

/** `1,200 of 2,900 files parsed`. */
export function inWords({ phase, done, total }: IndexProgress): string {
  const what = PHASES.find(([name]) => name === phase)?.[1] ?? phase;
  const of = total > done ? ` of ${grouped(total)}` : '';
  return `${grouped(done)}${of} ${what}`;
}

/**
 * Returns what tells a client that asked for it how far indexing is, in percent of all phases, each worth the same; undefined for
 * another client.
 */
export function progressReport({
  mcpReq,
}: ServerContext): ((progress: IndexProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = -1;
  return (progress) => {
    const percent = computePercent(progress);
    // It must not go back, as it would for a second run.
    if (progress.done === 0 || percent <= told) return;
    told = percent;
    const params = { progressToken, progress: percent, total: 100, message: inWords(progress) };
    // Who does not hear it any more gets no answer either.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function computePercent({ phase, done, total }: IndexProgress): number {
  const at = PHASES.findIndex(([name]) => name === phase);
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return Math.floor((100 * (at + share)) / PHASES.length);
}
