import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { wordsIn } from '../words.ts';

export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'javaClass',
  callMethod: 'invoke',
  rootClasses: ['Any'],
  propertyDecorators: [],
  selfTypes: [],
  isHidden: () => false,
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  modules: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
