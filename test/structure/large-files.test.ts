import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findFaults } from '../../scripts/large-files.ts';
import { git, gitRepository, removeFolder, writeFiles } from '../support/repository.ts';

const MODEL = { path: 'models/a.onnx', blob: 'a1', bytes: 9_000_000 };

describe('the rule that large files are listed', () => {
  it('accepts small files, and the listed version of a large one', () => {
    const small = { path: 'README.md', blob: 'b2', bytes: 600_000 };
    assert.deepEqual(findFaults([MODEL, small], { 'models/a.onnx': 'a1' }), []);
  });

  it('refuses another large file, and another version of a listed one', () => {
    const faults = findFaults([MODEL], {});
    assert.match(faults.join(), /models\/a\.onnx has 9000 kB.*'models\/a\.onnx': 'a1'/);
    assert.equal(findFaults([MODEL], { 'models/a.onnx': 'c3' }).length, 1);
  });

  it('refuses a line that no large file needs', () => {
    const small = { ...MODEL, bytes: 10 };
    assert.match(findFaults([small], { 'models/a.onnx': 'a1' }).join(), /is not large/);
    assert.match(findFaults([], { 'models/a.onnx': 'a1' }).join(), /is not large/);
  });

  it('reads what the next commit would add', () => {
    const root = gitRepository({ 'small.txt': 'a' });
    try {
      writeFiles(root, { 'tëxt of a model.bin': 'x'.repeat(700_000) });
      git(root, 'add', '.');
      // As package.json runs it.
      const [starter, script] = ['run.cjs', 'large-files.ts'].map((name) =>
        join(import.meta.dirname, '../../scripts', name),
      );
      const { status, stderr } = spawnSync(process.execPath, [starter, script], {
        cwd: root,
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.equal(status, 1);
      assert.match(stderr, /^tëxt of a model\.bin has 700 kB/m);
      assert.doesNotMatch(stderr, /small\.txt/);
    } finally {
      removeFolder(root);
    }
  });
});
