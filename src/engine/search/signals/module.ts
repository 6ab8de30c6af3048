import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for the code of a file outside any definition. */
export const module_: Signal = {
  name: 'module',
  family: 'kind',
  title: 'Code outside definitions',
  measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'module' ? 1 : 0)),
  format: asYesOrNo,
  explain: null,
};
