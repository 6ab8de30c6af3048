import type { GraphRules } from '../language.ts';
import { readWords } from '../words.ts';
import { manifests } from './manifests.ts';
import { getCrate, ModuleFiles } from './module-files.ts';

export const graph: GraphRules = {
  instanceNames: ['self'],
  classNames: ['Self'],
  superNames: [],
  // Rust has none, so this cannot match an identifier.
  classAttribute: '.class',
  callMethod: '()',
  // Traits without methods that are called by name.
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
  methodsAreSeparate: true,
  // Names do not tell whether an item is `pub`.
  isHidden: () => false,
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  // The parts of a type are in its crate. Names have to be imported.
  namespace: { of: (path) => getCrate(path), sharesNames: false, partialTypes: false },
  manifests,
  createResolver: () => new ModuleFiles(),
};
