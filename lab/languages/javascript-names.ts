/**
 * Prints the words of src/engine/languages/javascript/common-names.txt: methods that TypeScript's own library (the
 * language, the DOM) and Node's declare, and those of the commonest test runners:
 * `node lab/languages/javascript-names.ts > src/engine/languages/javascript/common-names.txt`.
 */

import { globSync, readFileSync } from 'node:fs';
import { chunkSource, getLanguage, loadGrammar } from '../../src/engine/lab.ts';

/** Methods of Jest, Vitest, Mocha, Chai, Sinon and jQuery, which TypeScript and Node do not declare. */
const OTHERS =
  'done it test describe expect mock spyOn toBe toEqual toHaveBeenCalled toThrow rejects resolves not calledWith returns stub ' +
  'extend each ajax attr css html text val on off once emit use get set has add remove next send json status end';

const names = new Set(OTHERS.split(' '));
const grammar = await loadGrammar(getLanguage('typescript'));
for (const path of globSync(
  'node_modules/{@typescript/*/lib/lib.{es,dom,decorators}*.d.ts,@types/node/**/*.d.ts}',
)) {
  for (const { kind, name } of chunkSource(grammar, readFileSync(path, 'utf8')).chunks)
    if (kind === 'method' && /^[\w$]+$/.test(name)) names.add(name);
}
console.log([...names].sort().join('\n'));
