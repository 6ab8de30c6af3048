import { readConversions } from '../conversions.ts';
import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { readWords } from '../words.ts';

const BOXES = new Map([
  ['boolean', 'Boolean'],
  ['byte', 'Byte'],
  ['char', 'Character'],
  ['double', 'Double'],
  ['float', 'Float'],
  ['int', 'Integer'],
  ['long', 'Long'],
  ['short', 'Short'],
]);

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
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  // A file without a package declaration is in the package without a name.
  namespace: { of: (_, declared = '') => declared, sharesNames: true, partialTypes: false },
  implicitReceiver: true,
  functionsAreSeparate: true,
  conversions: readConversions(new URL('./', import.meta.url), 'supertypes.txt', {
    any: 'Object',
    boxes: BOXES,
    implied: new Set(['Annotation', 'Comparable', 'Constable', 'Enum', 'Record', 'Serializable']),
  }),
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
