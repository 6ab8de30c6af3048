import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const LOCUS = fileURLToPath(new URL('../../src/cli/locus.ts', import.meta.url));

describe('locus serve', () => {
  it('prints its address or what is missing once, comes back when its host is killed, and leaves no process behind when interrupted', async () => {
    const dataDir = temporaryFolder();
    try {
      const args = [LOCUS, 'serve', '--no-open', '--port', '0', '--json', '--data-dir', dataDir];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      const said = JSON.parse(output) as { url?: string; error?: { remedy: string } };
      if (said.error) {
        // A checkout whose pages are not built yet.
        assert.match(said.error.remedy, /npm run build/);
        return;
      }
      const { origin, search } = new URL(said.url!);
      assert.equal((await fetch(`${origin}/${search}`)).status, 200);
      const [record = ''] = readdirSync(join(dataDir, 'servers'));
      const { pid } = JSON.parse(readFileSync(join(dataDir, 'servers', record), 'utf8'));
      assert.notEqual(pid, child.pid);
      process.kill(pid, 'SIGKILL');
      while (!(await fetch(origin).catch(() => null))?.ok) await sleep(20);
      child.kill('SIGINT');
      const [code] = await ended;
      assert.equal(code, 0);
      assert.equal(output, `${JSON.stringify(said)}\n`);
      await assert.rejects(fetch(origin));
    } finally {
      removeFolder(join(dataDir));
    }
  });

  it('refuses a missing folder', () => {
    for (const args of [['no/such/folder'], ['--root', 'no/such/folder']]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [LOCUS, 'serve', ...args], {
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.deepEqual([status, stdout], [3, '']);
      assert.match(stderr, /^locus: no\/such\/folder does not exist\.\n/);
    }
  });
});
