import type { GraphRules } from '../language.ts';
import { wordsIn } from '../words.ts';
import { crateOf, ModuleFiles } from './module-files.ts';

export const graph: GraphRules = {
  instanceNames: ['self'],
  classNames: ['Self'],
  superNames: [],
  // None: the names are no identifiers.
  classAttribute: '.class',
  callMethod: '()',
  // Traits without methods that anybody calls by name.
  rootClasses: ['Copy', 'Eq', 'Send', 'Sized', 'Sync', 'Unpin'],
  propertyDecorators: [],
  selfTypes: ['Self'],
  // Whether something is `pub` its name does not say.
  isHidden: () => false,
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  // The parts of a type are in its crate; names are imported.
  namespace: { of: (path) => crateOf(path), sharesNames: false, partialTypes: false },
  modules: () => new ModuleFiles(),
};
