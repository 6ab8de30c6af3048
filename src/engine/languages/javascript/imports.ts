import type { Language } from '../language.ts';

/**
 * Reads an import. `import d from "m"` has the capture `default`, which is the module's `exports` in CommonJS;
 * `import * as n from "m"` and `n = require("m")` have `namespace`; `import { a as b } from "m"` has `member` and `alias`.
 */
export const readImport: Language['readImport'] = (captures) => {
  const { from: module = '', namespace, exports, member = 'default', alias } = captures;
  const whole = { module, level: 0 };
  if (namespace !== undefined) return { ...whole, member: null, local: namespace };
  if (exports !== undefined) return { ...whole, member: 'exports', local: exports };
  return { ...whole, member, local: captures.default ?? alias ?? member };
};
