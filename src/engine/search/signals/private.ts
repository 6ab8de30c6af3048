import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for a name with a leading underscore: not for callers from outside. */
export const private_: Signal = {
  name: 'private',
  family: 'kind',
  title: 'A private name',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) =>
      /(^|\.)_[^_.][^.]*$/.test(qualifiedName) ? 1 : 0,
    ),
  format: asYesOrNo,
  explain: null,
};
