import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for a class: fixes change its methods more often than its header and its statements. */
export const class_: Signal = {
  name: 'class',
  family: 'kind',
  title: 'A class',
  measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'class' ? 1 : 0)),
  format: asYesOrNo,
  explain: null,
};
