import type { GraphRules } from '../language.ts';
import { readWords } from '../words.ts';
import { ModuleTree } from './module-tree.ts';

export const graph: GraphRules = {
  instanceNames: ['self'],
  classNames: ['cls', 'mcs', 'mcls', 'metacls'],
  superNames: ['super()'],
  classAttribute: '__class__',
  callMethod: '__call__',
  rootClasses: ['object'],
  propertyDecorators: [
    'property',
    'cached_property',
    'lazy_property',
    'classproperty',
    'abstractproperty',
    'hybrid_property',
  ],
  selfTypes: ['Self'],
  isHidden: (name) => name.startsWith('_'),
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  createResolver: (isTest) => new ModuleTree(isTest),
};
