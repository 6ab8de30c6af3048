import type { Language } from '../language.ts';

/**
 * `import d from "m"` has a `default`, which in CommonJS are the module's `exports`; `import * as n from "m"` and
 * `n = require("m")` a `namespace`; `import { a as b } from "m"` a `member` and an `alias`.
 */
export const importOf: Language['importOf'] = (captures) => {
  const { from: module = '', namespace, exports, member = 'default', alias } = captures;
  const whole = { module, level: 0 };
  if (namespace !== undefined) return { ...whole, member: null, local: namespace };
  if (exports !== undefined) return { ...whole, member: 'exports', local: exports };
  return { ...whole, member, local: captures.default ?? alias ?? member };
};
