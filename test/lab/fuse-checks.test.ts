import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const TASK = join(import.meta.dirname, '../../lab/check/fuse.ts');
const run = promisify(execFile);

describe('fuse-checks', () => {
  it('prints what a model reaches, and what worse ones made from it do', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const report = join(folder, 'report.json');
    const scores = Array.from({ length: 20 }, (_, at) => 8 - at / 4);
    // The model always puts the edited function first; the list has it at rank 3.
    const outcomes = Array.from({ length: 12 }, (_, at) => ({
      repo: `owner/repo-${at}`,
      check: {
        before: { chunk: [3] },
        scores,
        fusion: { weight: 0.5, order: [3, 1, 2, 4], agreement: 1, fit: 0.4 },
      },
    }));
    writeFileSync(report, JSON.stringify({ outcomes: [...outcomes, { repo: 'owner/failed' }] }));
    const { stdout } = await run(process.execPath, [TASK, '--report', report]);
    assert.match(stdout, /^Other repositories: 12 issues of 12 repositories\. .* MRR 0\.333 /);
    const getRow = (name: string) => {
      const row = stdout.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
      return row.split('|').slice(2, 5).map(Number);
    };
    assert.deepEqual(getRow('the one that answered'), [1, 1, 0.667]);
    assert.deepEqual(getRow('ids 1 to n'), [0.333, 0.333, 0]);
    const [alone, fused, difference] = getRow('ids n to 1');
    assert.ok(alone < 0.1 && fused > 0.3 && difference > -0.04, String([alone, fused]));
  });

  it('needs a report', async () => {
    await assert.rejects(run(process.execPath, [TASK]), { code: 2, stderr: /--report <json>/ });
  });
});
