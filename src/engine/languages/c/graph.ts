import type { GraphRules } from '../language.ts';
import { wordsIn } from '../words.ts';
import { Includes } from './includes.ts';

/** One for both languages: they include each other's files. */
export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: [],
  classAttribute: '',
  callMethod: 'operator()',
  rootClasses: [],
  propertyDecorators: [],
  selfTypes: [],
  isHidden: () => false,
  implicitReceiver: true,
  linksByName: true,
  // What is declared in a header and defined elsewhere are parts of one class; names come by `#include`.
  namespace: { of: () => '', sharesNames: false, partialTypes: false },
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  modules: () => new Includes(),
};
