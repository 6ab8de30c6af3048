import type { GraphRules } from '../language.ts';
import { readWords } from '../words.ts';
import { IncludeResolver } from './includes.ts';

/** Rules for both languages together, since they include each other's files. */
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
  // Declarations in a header and definitions elsewhere are parts of one class. Names have to be included.
  namespace: { of: () => '', sharesNames: false, partialTypes: false },
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  createResolver: () => new IncludeResolver(),
};
