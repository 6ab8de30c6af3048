import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { readWords } from '../words.ts';

/** Single namespace of all files, because loaded constants are global and classes can be reopened. */
const GLOBAL_NAMESPACE = '';

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
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  namespace: { of: () => GLOBAL_NAMESPACE, sharesNames: true, partialTypes: true },
  implicitReceiver: true,
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
