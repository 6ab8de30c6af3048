import type { GraphRules } from '../language.ts';
import { readWords } from '../words.ts';
import { manifests } from './manifests.ts';
import { FileModules } from './modules.ts';

/** Rules for JavaScript and TypeScript together, since they call each other. */
export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'constructor',
  // Instances cannot be called, so this cannot match an identifier.
  callMethod: '()',
  rootClasses: ['Object'],
  propertyDecorators: [],
  selfTypes: ['this'],
  typesAreSeparate: true,
  isHidden: (name) => name === 'default',
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  manifests,
  createResolver: (isTest) => new FileModules(isTest),
};
