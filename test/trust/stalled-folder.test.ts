/** A shared folder on a drive that has stopped answering: a system call that never returns blocks neither a search nor the exit. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram } from '../../scripts/debian.ts';
import { getCatalogKey } from '../../src/services/shared-index/catalog.ts';
import { writeSharedSource } from '../../src/services/shared-index/setup.ts';
import { keyOf, publishFrom } from '../shared-index/laptops.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');
/** Time that is far longer than the test waits. */
const STALL_SECONDS = 300;
const HUNG_MS = 120_000;

describe('a shared folder that has stopped answering', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  let root: string;
  let catalogue: string;
  const tracers: number[] = [];
  before(async () => {
    root = gitRepository(syntheticPackage(3));
    await publishFrom(root, at('publisher'), at('shared'), { name: root.split('/').at(-1) });
    catalogue = join(at('shared'), getCatalogKey(root.split('/').at(-1) ?? ''));
    assert.ok(existsSync(catalogue));
  });
  after(() => {
    for (const pid of tracers) process.kill(pid, 'SIGKILL');
    removeFolder(folder);
    removeFolder(root);
  });

  /** Starts a command for which opening the catalog of indexes takes minutes. */
  function startStalled(name: string, ...args: string[]): { child: ChildProcess; log: string } {
    const log = at(`${name}.trace`);
    const options = [
      // The tracer is not the parent, so signals and the exit code are the program's own.
      ...['-D', '-f', '-qq', '-o', log, '-P', catalogue],
      ...['-e', 'trace=openat', '-e', `inject=openat:delay_enter=${STALL_SECONDS}s`],
    ];
    const child = spawn(ensureProgram('strace'), [...options, process.execPath, LOCUS, ...args], {
      env: { ...process.env, LOCUS_DATA_DIR: at(name) },
      // A file, because the tracer would keep a pipe open while a call is stalled.
      stdio: ['ignore', 'ignore', openSync(at(`${name}.stderr`), 'w')],
    });
    return { child, log };
  }

  async function isStalled(log: string): Promise<void> {
    while (!existsSync(log) || !readFileSync(log, 'utf8').includes('openat')) await sleep(50);
  }

  /** Records the tracer, which would outlive its program until the stalled call ends. */
  function noteTracer({ pid }: ChildProcess): void {
    const [, tracer] =
      /^TracerPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    if (Number(tracer) > 0) tracers.push(Number(tracer));
  }

  it('does not delay Ctrl+C while a command waits for it', { timeout: HUNG_MS }, async () => {
    const key = await keyOf(at('publisher'));
    const from = ['--from', at('shared'), '--key', key, '--device', 'cpu'];
    const { child, log } = startStalled('asked', 'pull', root, ...from);
    const exited = once(child, 'exit');
    await isStalled(log);
    noteTracer(child);
    child.kill('SIGINT');
    assert.deepEqual(await exited, [130, null]);
  });

  it('is skipped if the command did not ask for it, and indexing continues', {
    timeout: HUNG_MS,
  }, async () => {
    writeSharedSource(at('unasked'), { from: at('shared'), keys: [await keyOf(at('publisher'))] });
    const { child, log } = startStalled('unasked', 'index', root, '--device', 'cpu');
    const exited = once(child, 'exit');
    await isStalled(log);
    noteTracer(child);
    const outcome = await exited;
    const stderr = readFileSync(at('unasked.stderr'), 'utf8');
    assert.deepEqual(outcome, [0, null], stderr);
    assert.match(stderr, /The shared index was not used.* would take longer than indexing here\./);
  });
});
