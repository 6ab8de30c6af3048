import { measureEach, type Signal } from './signal.ts';

/** 1 for a class: fixes change its methods more often than its header and its statements. */
export const class_: Signal = {
  name: 'class',
  measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'class' ? 1 : 0)),
};

/** 1 for the code of a file outside any definition. */
export const module_: Signal = {
  name: 'module',
  measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'module' ? 1 : 0)),
};
