/** Runs one operation, for tests that kill it: `node run-operation.ts <module> <name> <folder>`. */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Operation } from './operation.ts';

const [module = '', name = '', folder = ''] = process.argv.slice(2);
const { default: operations } = (await import(pathToFileURL(module).href)) as {
  default: Record<string, Operation>;
};
await operations[name]?.run(folder, (line) => writeSync(1, `${line}\n`));
process.exit(0);
