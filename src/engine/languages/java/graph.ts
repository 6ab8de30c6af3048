import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
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
  // A file that names no package is in the one without a name.
  namespace: { of: (_, declared = '') => declared, sharesNames: true, partialTypes: false },
  implicitReceiver: true,
  functionsApart: true,
  modules: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
