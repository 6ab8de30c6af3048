import type { GraphRules } from '../language.ts';
import { readWords } from '../words.ts';
import { manifests } from './manifests.ts';
import { getPackage, PackageFolders } from './package-folders.ts';

export const graph: GraphRules = {
  // The receiver is a parameter like any other.
  instanceNames: [],
  classNames: [],
  superNames: [],
  // Go has neither, so these cannot match an identifier.
  classAttribute: '.(type)',
  callMethod: '()',
  rootClasses: [
    'any',
    'comparable',
    'error',
    'bool',
    'string',
    'byte',
    'rune',
    'int',
    'int8',
    'int16',
    'int32',
    'int64',
    'uint',
    'uint8',
    'uint16',
    'uint32',
    'uint64',
    'uintptr',
    'float32',
    'float64',
    'complex64',
    'complex128',
  ],
  propertyDecorators: [],
  // A field does not hide a type of the same name.
  isBodyScope: false,
  selfTypes: [],
  isHidden: (name) => !/^\p{Lu}/u.test(name),
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  namespace: { of: getPackage, sharesNames: true, partialTypes: false },
  manifests,
  createResolver: (_, hasNamespace) => new PackageFolders(hasNamespace),
};
