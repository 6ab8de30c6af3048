/** What a chunk's name says of it without any issue. */
import { measureEach, type Signal } from './signal.ts';

/** 1 for a name with a leading underscore: not for callers from outside. */
export const private_: Signal = {
  name: 'private',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) =>
      /(^|\.)_[^_.][^.]*$/.test(qualifiedName) ? 1 : 0,
    ),
};

/** 1 for a special method, such as `__repr__`; constructors are not counted. */
export const special: Signal = {
  name: 'special',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) =>
      /(^|\.)__(?!init__)[^.]+__$/.test(qualifiedName) ? 1 : 0,
    ),
};

/** ln of how many chunks share the simple name. */
export const commonName: Signal = {
  name: 'commonName',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) => {
      const simple = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
      return Math.log(Math.max(1, candidates.index.slotsByName(simple).length));
    }),
};
