import type { GraphRules } from '../language.ts';
import { wordsIn } from '../words.ts';
import { manifests } from './manifests.ts';
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
  passThrough: new Set([
    'as_deref',
    'as_deref_mut',
    'as_mut',
    'as_ref',
    'borrow',
    'borrow_mut',
    'by_ref',
    'clone',
    'cloned',
    'copied',
    'expect',
    'lock',
    'ok',
    'read',
    'to_owned',
    'unwrap',
    'unwrap_or_default',
    'unwrap_or_else',
    'write',
  ]),
  selfTypes: ['Self'],
  methodsApart: true,
  // Whether something is `pub` its name does not say.
  isHidden: () => false,
  commonNames: wordsIn(new URL('./', import.meta.url), 'common-names.txt'),
  // The parts of a type are in its crate; names are imported.
  namespace: { of: (path) => crateOf(path), sharesNames: false, partialTypes: false },
  manifests,
  modules: () => new ModuleFiles(),
};
