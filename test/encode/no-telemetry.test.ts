import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const PROJECT = join(import.meta.dirname, '../..');
const DOOR = 'src/engine/encode/onnxruntime.ts';
const addressOf = (path: string) => pathToFileURL(join(PROJECT, path)).href;

describe('the telemetry of onnxruntime', () => {
  it('is off before any other import of every entry', () => {
    const { main } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
    assert.equal(main, 'out/main/index.js');
    for (const entry of [
      'src/cli/entry.ts',
      'src/main/index.ts',
      'src/backend/node.ts',
      'src/backend/electron.ts',
    ]) {
      const [first] = readFileSync(join(PROJECT, entry), 'utf8').match(/^import .*$/m)!;
      assert.match(first, /^import '.*\/no-telemetry\.ts';$/, entry);
    }
  });

  it('is off in a program that only imports the engine, whatever its environment', () => {
    for (const path of ['src/engine/repository.ts', 'src/engine/encode/encoder.ts', DOOR]) {
      const script = `await import('${addressOf(path)}'); process.stdout.write(process.env.ORT_DISABLE_TELEMETRY)`;
      const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, ORT_DISABLE_TELEMETRY: '0' },
      });
      assert.equal(told.toString(), '1', path);
    }
  });

  it('is turned off before a thread starts, which cannot do it', async () => {
    const loading = (env: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const script = `import('${addressOf(DOOR)}').then(({ InferenceSession }) => console.assert(InferenceSession))`;
        new Worker(script, { eval: true, env })
          .once('error', ({ message }) => resolve(message))
          .once('exit', (code) => resolve(`exit ${code}`));
      });
    assert.match(await loading({}), /The telemetry of onnxruntime is enabled/);
    assert.equal(await loading({ ORT_DISABLE_TELEMETRY: '1' }), 'exit 0');
  });

  it('is off wherever the library is loaded, since only one file imports it', () => {
    const sources = globSync('{src,lab,demo,scripts,test,e2e}/**/*.{ts,tsx}', {
      cwd: PROJECT,
    });
    assert.ok(sources.includes(DOOR));
    const loading = sources.filter((path) =>
      /(from|import|import\(|require\() ?'onnxruntime-node'/.test(
        readFileSync(join(PROJECT, path), 'utf8'),
      ),
    );
    assert.deepEqual(loading, [DOOR]);
  });
});
