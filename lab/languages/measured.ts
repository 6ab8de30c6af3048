import type { Ranks } from '../../src/services/evaluation/metrics.ts';

/** The measures of the tables of languages. */
export const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@5'];

/** An issue, and where each system puts what its fix edited. */
export interface Measured {
  instance: string;
  repo: string;
  /** By system. */
  ranks: Record<string, Ranks>;
}

/** Whether a language model has rewritten the text. */
export function isRewritten({ instance }: Measured): boolean {
  return instance.startsWith('rewritten ');
}
