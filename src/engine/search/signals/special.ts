import { languageOf } from '../../languages/index.ts';
import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for a method that the language itself calls; constructors are not counted. */
export const special: Signal = {
  name: 'special',
  family: 'kind',
  title: 'A special method',
  measure: (candidates) =>
    measureEach(candidates, ({ name, path }) => (languageOf(path)?.names.isSpecial(name) ? 1 : 0)),
  format: asYesOrNo,
  explain: null,
};
