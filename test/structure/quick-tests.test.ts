/* Tests the choice of `npm run test:quick`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listQuickTests, QUICK_FLAGS } from '../../scripts/quick-tests.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('quick tests', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
    writeFiles(folder, {
      'src/add.ts': `import type { ChildProcess } from 'node:child_process';\nexport const add = 1;\n`,
      'src/run.ts': `import {\n  spawn,\n} from 'node:child_process';\nexport const run = spawn;\n`,
      'src/again.ts': `export { run } from './run.ts';\n`,
      'src/worker.ts': `import { parentPort } from 'node:worker_threads';\nparentPort?.close();\n`,
      'test/adds.test.ts': `import '../src/add.ts';\nconst code = \`\nimport './missing.ts';\n\`;\n`,
      'test/runs.test.ts': `import '../src/again.ts';\n`,
      'test/later.test.ts': `const { run } = await import('../src/run.ts');\n`,
      'test/thread.test.ts': `const file = new URL('../src/worker.ts', import.meta.url);\n`,
      'test/types.test.ts': `import type { run } from '../src/run.ts';\n`,
    });
  });
  after(() => removeFolder(folder));

  it('are those that import nothing that can start a process or a thread', () => {
    assert.deepEqual(listQuickTests(folder), ['test/adds.test.ts', 'test/types.test.ts']);
  });

  it('may start neither', () => {
    const tries = [
      `require('node:child_process').execFileSync(process.execPath, ['-e', '0'])`,
      `new (require('node:worker_threads').Worker)('0', { eval: true })`,
    ];
    for (const code of tries) {
      const { stderr } = spawnSync(process.execPath, [...QUICK_FLAGS, '-e', code], {
        encoding: 'utf8',
      });
      assert.match(stderr, /ERR_ACCESS_DENIED/, code);
    }
  });

  it('are a large part of all', () => {
    assert.ok(listQuickTests(ROOT).length > 100);
  });
});
