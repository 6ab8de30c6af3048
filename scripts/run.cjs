/**
 * Runs a script of the checkout: `node scripts/run.cjs <script> [argument ...]`. The scripts are TypeScript, which an older Node rejects
 * with an error that names no remedy. So this file has no syntax that an older Node cannot parse.
 */
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { engines } = require('../package.json');

const OLDEST = Number.parseInt(engines.node.replace('>=', ''), 10);
/** Exit code for invalid usage. */
const USAGE = 2;

/** Runs the script at an absolute path in this process. Prints the remedy instead if this Node is too old or the packages are not installed. */
exports.run = (script) => {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST)
    return fail(
      `The checkout needs Node ${OLDEST} or later. This is Node ${node}.`,
      'Run npm ci, which installs that Node into the checkout. npm start, npm run … and npx locus use it.',
    );
  if (!existsSync(join(__dirname, '../node_modules')))
    return fail('The packages of the checkout are not installed.', 'Run npm ci.');
  return import(pathToFileURL(script).href);
};

function fail(message, remedy) {
  console.error(`locus: ${message}\n  → ${remedy}`);
  process.exitCode = USAGE;
}

if (require.main === module) {
  const [script = ''] = process.argv.splice(2, 1);
  process.argv[1] = resolve(script);
  exports.run(process.argv[1]);
}
