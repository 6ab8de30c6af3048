import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { wordsIn } from '../words.ts';

/** Constants of all files are known everywhere once they are loaded, and classes may be opened again. */
const LOADED = '';

export const graph: GraphRules = {
  instanceNames: ['self'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'class',
  callMethod: 'call',
  rootClasses: ['Object', 'BasicObject'],
  propertyDecorators: [],
  selfTypes: [],
  isHidden: () => false,
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  namespace: { of: () => LOADED, sharesNames: true, partialTypes: true },
  implicitReceiver: true,
  modules: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
