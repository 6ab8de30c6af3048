import type { GraphRules } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { readWords } from '../words.ts';

export const graph: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['base'],
  classAttribute: '',
  callMethod: '',
  rootClasses: ['object', 'Object'],
  propertyDecorators: [],
  selfTypes: [],
  // A property may have the same name as its type: `Price Price`.
  isBodyScope: false,
  isHidden: () => false,
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  // A file without a namespace is in the global one.
  namespace: {
    of: (_, declared) => declared ?? '',
    sharesNames: true,
    partialTypes: true,
    // By `global using` in another file, or `<Using Include="…" />` in a project.
    openedElsewhere: true,
  },
  passThrough: new Set(['ConfigureAwait', 'GetAwaiter', 'GetResult', 'Result', 'Value']),
  implicitReceiver: true,
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};
