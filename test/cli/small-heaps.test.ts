import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type RestartableProcess, startWithSmallHeaps } from '../../src/cli/small-heaps.ts';

type Started = [string, readonly string[] | undefined, NodeJS.ProcessEnv | undefined];

function startedBy(given: Partial<RestartableProcess>): Started[] {
  const started: Started[] = [];
  const execve = ((...all: Started) => {
    started.push(all);
  }) as unknown as RestartableProcess['execve'];
  startWithSmallHeaps({ argv: [], env: {}, execArgv: [], execPath: '/bin/node', execve, ...given });
  return started;
}

test('a command that reads a whole repository is restarted, with everything else unchanged', () => {
  const argv = ['/bin/node', '/x/locus.ts', 'index', '/a folder', '--json'];
  const [one, ...others] = startedBy({
    argv,
    env: { HOME: '/home', MALLOC_ARENA_MAX: '1' },
    execArgv: ['--no-warnings'],
  });
  assert.deepEqual(others, []);
  const [file, args, env] = one!;
  assert.equal(file, '/bin/node');
  const flags = ['--no-warnings', '--max-semi-space-size=8'];
  assert.deepEqual(args, ['/bin/node', ...flags, ...argv.slice(1)]);
  assert.equal(env!.HOME, '/home');
  // A value that the user set is kept.
  assert.equal(env!.MALLOC_ARENA_MAX, '1');
  assert.ok(env!.MALLOC_TRIM_THRESHOLD_);
});

test('others are not, nor is one that was, nor where a system cannot', () => {
  const started = ['/bin/node', '/x/locus.ts'];
  assert.deepEqual(startedBy({ argv: [...started, 'search', '.'] }), []);
  assert.deepEqual(startedBy({ argv: started }), []);
  const execArgv = ['--max-semi-space-size=8'];
  assert.deepEqual(startedBy({ argv: [...started, 'index'], execArgv }), []);
  assert.deepEqual(startedBy({ argv: [...started, 'index'], execve: undefined }), []);
});

test('what the command says and how it ends is its own', () => {
  const ran = spawnSync(process.execPath, ['src/cli/locus.ts', 'index', '/nowhere/at all'], {
    encoding: 'utf8',
  });
  assert.equal(ran.stdout, '');
  assert.match(ran.stderr, /^locus: .*nowhere\/at all/);
  assert.doesNotMatch(ran.stderr, /Warning/);
  assert.ok(ran.status! > 0);
});
