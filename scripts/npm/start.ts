/**
 * The program of the npm package. It checks Node's version before it loads code that an older Node cannot parse, and starts the code in
 * the package of this platform.
 */
import { usesMusl } from '../../src/base/musl.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { NAMES } from '../release/names.ts';
import { OLDEST, OLDEST_NODE } from '../release/oldest-node.ts';
import { getPlatformName, PLATFORMS } from './platforms.ts';

/** Text of `bin/locus.js`. */
export const START = `#!/usr/bin/env node
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const PLATFORMS = ${JSON.stringify(PLATFORMS.map(getPlatformName))};

start();

function start() {
  const { platform, arch, versions } = process;
  const [major, minor] = versions.node.split('.').map(Number);
  if (major < ${OLDEST.major} || (major === ${OLDEST.major} && minor < ${OLDEST.minor}))
    return fail(
      'Locus needs Node ${OLDEST_NODE} or later. This is Node ' + versions.node + '.',
      'Install a newer Node from https://nodejs.org, or with a version manager such as nvm (nvm install ${OLDEST.major}).',
    );
  const name = platform + '-' + arch;
  const found = [name, name + '-musl'].flatMap(findCode);
  // A package manager that ignores the field libc installs both packages for Linux.
  const [code] = found.length === 2 && usesMusl() ? found.reverse() : found;
  if (code !== undefined) return import(pathToFileURL(code).href);
  if (PLATFORMS.includes(name))
    return fail(
      'The package ${NAMES.npm}-' + name + ' is missing.',
      'Install Locus again with optional packages: npm install -g ${NAMES.npm} --include=optional.',
    );
  return fail('Locus has no package for ' + name + '.', 'Use one of ' + PLATFORMS.join(', ') + '.');
}

function findCode(name) {
  try {
    return [createRequire(import.meta.url).resolve('${NAMES.npm}-' + name + '/lib/locus.js')];
  } catch {
    return [];
  }
}

${usesMusl}

function fail(message, remedy) {
  console.error('locus: ' + message + '\\n  → ' + remedy);
  process.exitCode = ${EXIT.usage};
}
`;
