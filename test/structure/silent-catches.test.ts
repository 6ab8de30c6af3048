import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findSilentCatches } from '../../scripts/silent-catches.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const SILENT = [
  'try {\n  a();\n} catch {}\n',
  'try {\n  a();\n} catch {\n  return null;\n}\n',
  'try {\n  a();\n} catch (error) {}\n',
  'function f() {\n  try {\n    a();\n  } catch {\n    return null;\n  }\n  // Not a reason.\n}\n',
  'await a().catch(() => {});\n',
  'a().catch((_error) => {});\n',
  'a().then(done, () => {});\n',
  "child.on('error', () => {});\n",
];

const EXPLAINED = [
  'try {\n  a();\n} catch {\n  // It is missing.\n  return null;\n}\n',
  'try {\n  a();\n} catch {} // It is missing.\n',
  'try {\n  a();\n} catch (error) {\n  return told(error);\n}\n',
  "try {\n  a();\n} catch {\n  log('data-damaged', { file: 'app' });\n}\n",
  'a().catch(() => {}); // Awaited below.\n',
  '// Awaited below.\na().catch(() => {});\n',
  "a().catch(ignoring('close-engine'));\n",
  'a().catch(() => null);\n',
  "child.on('exit', () => {});\n",
];

describe('the rule that no error is dropped silently', () => {
  it('finds each way of dropping one', () => {
    for (const code of SILENT) assert.equal(findSilentCatches(code).length, 1, code);
    assert.deepEqual(findSilentCatches(`\n${SILENT[4]}`), [2]);
  });

  it('accepts a comment, a log entry, and a use of the error', () => {
    for (const code of EXPLAINED) assert.deepEqual(findSilentCatches(code), [], code);
  });

  it('is part of lint, which fails if it is violated', () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'src/a.ts': SILENT[0] ?? '', 'src/b.ts': EXPLAINED[0] ?? '' });
    // As package.json runs it.
    const [starter, script] = ['run.cjs', 'silent-catches.ts'].map((name) =>
      join(import.meta.dirname, '../../scripts', name),
    );
    const lint = () =>
      spawnSync(process.execPath, [starter, script], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
      });
    const { status, stderr } = lint();
    writeFiles(folder, { 'src/a.ts': EXPLAINED[0] ?? '' });
    const mended = lint();
    removeFolder(folder);
    assert.equal(status, 1);
    assert.match(stderr, /^src\/a\.ts:3: .+\n$/);
    assert.equal(mended.status, 0, mended.stderr);
  });
});
