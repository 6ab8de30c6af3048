import { languageOf } from '../../languages/index.ts';
import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for a name that is not for callers from outside, as its language marks them. */
export const private_: Signal = {
  name: 'private',
  family: 'kind',
  title: 'A private name',
  measure: (candidates) =>
    measureEach(candidates, ({ name, path }) => (languageOf(path)?.names.isPrivate(name) ? 1 : 0)),
  format: asYesOrNo,
  explain: null,
};
