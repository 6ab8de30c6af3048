import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VERSION } from '../../src/shared/version.ts';
import { answer, createCodeHosts } from '../issue-urls/code-host-server.ts';
import { packageDocument } from '../updates/package-document.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

describe('locus update', () => {
  const start = createCodeHosts();
  const publish = (latest: string) =>
    start((_, response) => answer(response, 200, packageDocument(latest)));
  const run = (origin: string, args: string[], setting: Setting = {}) =>
    locus(fakeEngine([]), ['update', ...args], {
      ...setting,
      env: { NO_COLOR: '1', npm_config_registry: origin },
    });

  it('asks nobody without --check, which it names', async () => {
    const { origin, asked } = await publish('99.0.0');
    for (const args of [[], ['--yes']]) {
      const { exitCode, stderr } = await run(origin, args);
      assert.equal(exitCode, 2);
      assert.match(stderr, /Locus does not update itself\.\n {2}→ Run locus update --check/);
    }
    assert.equal(asked.length, 0);
  });

  it('asks nobody without consent, and names the option that gives it', async () => {
    const { origin, port, asked } = await publish('99.0.0');
    const terminal = { terminal: 200, seated: true };
    const cases: [string[], Setting][] = [
      [['--check'], {}],
      [['--check'], { stdin: 'y\n' }],
      [['--check', '--json'], { ...terminal, stdin: 'y\n' }],
      ...['', '\n', 'n\n', 'yess\n'].map((stdin): [string[], Setting] => [
        ['--check'],
        { ...terminal, stdin },
      ]),
    ];
    for (const [args, setting] of cases) {
      const { exitCode, stderr } = await run(origin, args, setting);
      assert.equal(exitCode, 2);
      assert.match(
        stderr,
        new RegExp(
          `127\\.0\\.0\\.1:${port} was not asked for the newest version: you did not agree\\.\n  → Add --yes`,
        ),
      );
    }
    assert.equal(asked.length, 0);
  });

  it('asks on a terminal first, and then the registry once', async () => {
    const { origin, port, asked } = await publish('99.0.0');
    const setting = { terminal: 200, seated: true, stdin: 'y\n' };
    const { exitCode, stdout, stderr } = await run(origin, ['--check'], setting);
    assert.equal(exitCode, 0);
    assert.match(stderr, new RegExp(`^Ask 127\\.0\\.0\\.1:${port} once for the newest version of`));
    assert.equal(stdout, `Locus 99.0.0 is available. This is ${VERSION}.\n→ git pull && npm ci\n`);
    assert.equal(asked.length, 1);
    // The answer is not stored.
    assert.equal((await run(origin, ['--check'])).exitCode, 2);
    assert.equal(asked.length, 1);
  });

  it('says what the registry answered, in words and as JSON', async () => {
    const says = async (latest: string) => {
      const { origin } = await publish(latest);
      const { exitCode, stdout } = await run(origin, ['--check', '--yes']);
      assert.equal(exitCode, 0);
      const { json } = await run(origin, ['--check', '--yes', '--json']);
      return [stdout, json().isNewer, json().latest];
    };
    assert.deepEqual(await says(VERSION), [
      `Locus ${VERSION} is the newest version.\n`,
      false,
      VERSION,
    ]);
    assert.deepEqual(await says('0.0.1'), [
      `Locus ${VERSION} is newer than the newest published version, 0.0.1.\n`,
      false,
      '0.0.1',
    ]);
    assert.deepEqual((await says('99.0.0')).slice(1), [true, '99.0.0']);
  });

  it('ends with 6 without a valid answer, and prints nothing of it', async () => {
    const hostile = await publish('99.0.0\u001b[2J');
    const { exitCode, stdout, stderr } = await run(hostile.origin, ['--check', '--yes']);
    assert.equal(exitCode, 6);
    assert.equal(stdout, '');
    assert.doesNotMatch(stderr, /99|2J/);
    await hostile.close();
    const offline = await run(hostile.origin, ['--check', '--yes', '--json']);
    assert.equal(offline.exitCode, 6);
    assert.equal(offline.json().error.code, 'not-fetched');
  });
});
