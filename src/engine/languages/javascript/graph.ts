import type { GraphRules } from '../language.ts';
import { wordsIn } from '../words.ts';
import { manifests } from './manifests.ts';
import { FileModules } from './modules.ts';

/** One for JavaScript and TypeScript: they call each other. */
export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'constructor',
  // Objects of classes are not called.
  callMethod: '()',
  rootClasses: ['Object'],
  propertyDecorators: [],
  selfTypes: ['this'],
  typesApart: true,
  isHidden: (name) => name === 'default',
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  manifests,
  modules: (isTest) => new FileModules(isTest),
};
