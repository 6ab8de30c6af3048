import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chunk } from '../exchange/sample.ts';
import { fakeEngine, locus } from './fake-host.ts';

const CHUNKS = [
  { ...chunk('packages/api/src/a.ts', 'parse', 'x'), package: '@acme/api' },
  { ...chunk('packages/web/src/b.ts', 'Jar.find', 'y'), package: 'web\u001b[31m' },
];

describe('packages on the command line', () => {
  it('are chosen with --package, which goes into the request', async () => {
    const fake = fakeEngine(CHUNKS);
    const args = ['search', '.', '--package', '@acme/api', '--package', 'web', 'parse fails'];
    assert.equal((await locus(fake, args)).exitCode, 0);
    assert.deepEqual(fake.searched[0]?.packages, ['@acme/api', 'web']);
    await locus(fake, ['search', '.', 'parse fails']);
    assert.ok(!('packages' in (fake.searched[1] ?? {})));
  });

  it('stand beside the path, and as `package` in the JSON', async () => {
    const { stdout } = await locus(fakeEngine(CHUNKS), ['search', '.', 'parse fails']);
    assert.match(stdout, /packages\/api\/src\/a\.ts:\d+ {2}@acme\/api\n/);
    assert.match(stdout, /b\.ts:\d+ {2}web\\e\[31m\n/);
    const { json } = await locus(fakeEngine(CHUNKS), ['search', '.', '--json', 'parse fails']);
    assert.equal(json().results[0].package, '@acme/api');
  });

  it('leave room for the path on a narrow terminal', async () => {
    const { stdout } = await locus(fakeEngine(CHUNKS), ['search', '.', 'parse fails'], {
      terminal: 60,
      env: { NO_COLOR: '1' },
    });
    for (const line of stdout.split('\n')) assert.ok(line.length <= 60, line);
    assert.match(stdout, /a\.ts:\d+ {2}@/);
  });

  it('are listed by status, those with most functions first', async () => {
    const packages = Array.from({ length: 25 }, (_, i) => {
      return { name: `plugin-${i}`, folder: i === 0 ? '' : `plugins/${i}`, chunks: 1000 + i };
    });
    const { stdout } = await locus(fakeEngine([], { packages }), ['status', '.']);
    assert.match(
      stdout,
      /^packages {4}1,024 {2}plugin-24 {2}plugins\/24\n {12}1,023 {2}plugin-23/m,
    );
    assert.match(stdout, /^ {12}and 5 more; --json lists all$/m);
    const { json } = await locus(fakeEngine([], { packages }), ['status', '.', '--json']);
    assert.deepEqual(json().packages, packages);
  });
});
