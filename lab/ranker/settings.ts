/** Settings of the ranker's fit, and the metrics that are printed. */
import { MARK_SIGNALS } from '../../src/engine/lab.ts';
import { type FitOptions, listWeights, SIGNAL_NAMES } from './linear.ts';

/** Weights of a prototype that was fitted in the same way on 114 issues. Some of them are in the current data set too. */
const PROTOTYPE = listWeights({
  dense: 0.92,
  bm25: 0.8,
  file: 0.52,
  path: 0.47,
  baseName: 0.16,
  name: 0.15,
  className: 0.2,
  called: 0.17,
  length: 0.21,
  class: -0.73,
  role: -0.97,
});

export const LINEAR: FitOptions = {
  names: SIGNAL_NAMES,
  prior: PROTOTYPE,
  strength: 0.1,
  fitted: (signal) => !MARK_SIGNALS.some(({ name }) => name === signal),
};

/** Weight of an instance of the second data set. */
export const ALSO_WEIGHT = 0.3;

/** Number of first results that the confidence covers. */
export const CONFIDENCE_TOP = 5;

/** Names of the printed metrics, from `METRICS`. */
export const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];
