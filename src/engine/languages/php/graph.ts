import type { GraphRules, Language } from '../language.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { readWords } from '../words.ts';

export const graph: GraphRules = {
  instanceNames: ['$this'],
  classNames: ['self', 'static'],
  superNames: ['parent'],
  classAttribute: 'class',
  callMethod: '__invoke',
  rootClasses: ['stdClass'],
  propertyDecorators: [],
  selfTypes: ['self', 'static'],
  methodsAreSeparate: true,
  isHidden: () => false,
  commonNames: readWords(new URL('./', import.meta.url), 'common-names.txt'),
  namespace: { of: (_, declared) => declared ?? '', sharesNames: true, partialTypes: false },
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};

/** Reads `use A\B as C`, or one name of `use A\{B as C}`. The last name is a member of the namespace before it. */
export const readImport: Language['readImport'] = ({ module, from = '', member = '', alias }) => {
  const names = (module ?? `${from}\\${member}`).split('\\').filter((name) => name !== '');
  const last = names.pop() ?? '';
  return { module: names.join('.'), level: 0, member: last, local: alias ?? last };
};
