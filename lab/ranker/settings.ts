/** How the ranker is fitted, and what is shown of it. */
import { MARK_SIGNALS } from '../../src/engine/lab.ts';
import { type FitOptions, SIGNAL_NAMES, weightsFrom } from './linear.ts';

/** Weights of a prototype, fitted in the same way on 114 issues, some of them the same ones. */
const PROTOTYPE = weightsFrom({
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

/** How much an instance of the second data set counts. */
export const ALSO = 0.3;

/** Places that confidence is about. */
export const PLACES = 5;

/** Of `METRICS`. */
export const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];
