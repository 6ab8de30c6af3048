import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for a special method, such as `__repr__`; constructors are not counted. */
export const special: Signal = {
  name: 'special',
  family: 'kind',
  title: 'A special method',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) =>
      /(^|\.)__(?!init__)[^.]+__$/.test(qualifiedName) ? 1 : 0,
    ),
  format: asYesOrNo,
  explain: null,
};
