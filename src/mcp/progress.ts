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

/** Progress of indexing, as notifications to a client that asked for them: in percent of all phases, each worth the same. */
export class ProgressReport {
  #told = -1;

  /** What to call with progress; undefined where nobody wants to know. */
  static for({ mcpReq }: ServerContext): ((progress: IndexProgress) => void) | undefined {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return undefined;
    const report = new ProgressReport();
    return (progress) => {
      const percent = report.#next(progress);
      if (percent === null) return;
      const params = { progressToken, progress: percent, total: 100, message: inWords(progress) };
      // Who does not hear it any more gets no answer either.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    };
  }

  /**
   * Whole percent; null where nothing is done, or not more than the last time: progress must not go
   * back, as it would for a second run.
   */
  #next({ phase, done, total }: IndexProgress): number | null {
    if (done === 0) return null;
    const at = PHASES.findIndex(([name]) => name === phase);
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const percent = Math.floor((100 * (at + share)) / PHASES.length);
    if (percent <= this.#told) return null;
    this.#told = percent;
    return percent;
  }
}
