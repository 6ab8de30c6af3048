/** The program of the npm package, which checks Node's version before it loads code that an older Node cannot parse. */
import { EXIT } from '../../src/cli/exit-codes.ts';

/** First Node version with Zstandard. */
const OLDEST = { major: 22, minor: 15 };
export const OLDEST_NODE = `${OLDEST.major}.${OLDEST.minor}`;

/** Text of `bin/locus.js`. */
export const START = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${OLDEST.major} || (major === ${OLDEST.major} && minor < ${OLDEST.minor})) {
  console.error('locus: Locus needs Node ${OLDEST_NODE} or later. This is Node ' + process.versions.node + '.');
  console.error('  → Install a newer Node from https://nodejs.org, or with a version manager such as nvm (nvm install ${OLDEST.major}).');
  process.exitCode = ${EXIT.usage};
} else await import('../lib/locus.js');
`;
