import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { readWords } from '../words.ts';

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
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  // A file without a package declaration is in the package without a name.
  namespace: { of: (_, declared = '') => declared, sharesNames: true, partialTypes: false },
  passThrough: new Set(['also', 'apply', 'takeIf', 'takeUnless']),
  implicitReceiver: true,
  extensions: true,
  typesAreSeparate: true,
  functionsAreSeparate: true,
  blockSubject: 'it',
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
