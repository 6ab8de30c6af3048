/** The ranker of the initial ranking, and all of its signals. */
import ranker1 from '../../../../models/ranker-1/initial.json' with { type: 'json' };
import type { Candidates } from '../gather/gather.ts';
import { checkLinearModel, LinearRanker } from './linear.ts';
import { type Ranker, type Ranking, rankCandidates } from './ranking.ts';
import { CALL_SIGNALS, TRACEBACK_SIGNALS } from './signals/calls.ts';
import { ENTRY_POINT_SIGNALS } from './signals/entry-points.ts';
import { HISTORY_SIGNALS } from './signals/history.ts';
import { KIND_SIGNALS } from './signals/kind.ts';
import { LOCATION_SIGNALS } from './signals/location.ts';
import { MARK_SIGNALS } from './signals/marks.ts';
import { NAMED_COMMIT_SIGNALS } from './signals/named-commits.ts';
import { NAME_SIGNALS } from './signals/names.ts';
import type { Signal } from './signals/signal.ts';
import { MEANING_SIGNALS, WORD_SIGNALS } from './signals/words.ts';

/** All signals, in the order of evidence. */
export const SIGNALS: readonly Signal[] = [
  ...MEANING_SIGNALS,
  ...WORD_SIGNALS,
  ...LOCATION_SIGNALS,
  ...NAME_SIGNALS,
  ...ENTRY_POINT_SIGNALS,
  ...TRACEBACK_SIGNALS,
  ...CALL_SIGNALS,
  ...KIND_SIGNALS,
  ...HISTORY_SIGNALS,
  ...NAMED_COMMIT_SIGNALS,
  ...MARK_SIGNALS,
];

export const DEFAULT_RANKER: Ranker = new LinearRanker(checkLinearModel(ranker1, SIGNALS));

export function rank(candidates: Candidates, ranker: Ranker): Ranking {
  return rankCandidates(candidates, ranker, measureSignals(candidates));
}

export function measureSignals(candidates: Candidates) {
  return SIGNALS.map((signal) => ({ signal, values: signal.measure(candidates) }));
}
