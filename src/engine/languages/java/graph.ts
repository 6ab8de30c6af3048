import type { GraphRules } from '../language.ts';
import { NO_MODULES } from '../no-modules.ts';
import { wordsIn } from '../words.ts';

export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'class',
  callMethod: '',
  rootClasses: ['Object'],
  propertyDecorators: [],
  selfTypes: [],
  isHidden: () => false,
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  modules: () => NO_MODULES,
};
