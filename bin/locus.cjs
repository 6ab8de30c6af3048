#!/usr/bin/env node
/** The `locus` command of the checkout, for `npx locus` and `npm link`. npm makes it executable, so git has it as executable too. */
const { join } = require('node:path');

require('../scripts/run.cjs').run(join(__dirname, '../src/cli/locus.ts'));
