import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { SettingsStore } from '../../src/backend/settings.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import {
  complete,
  type FakeEndpoint,
  fakeEndpoint,
  finds,
  stream,
  streamOf,
} from '../check/fake-endpoint.ts';
import { COOKIES } from '../exchange/sample.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus } from './fake-host.ts';

describe('locus search --check', () => {
  let folder: string;
  let model: FakeEndpoint;
  beforeEach(async () => {
    folder = temporaryFolder();
    model = await fakeEndpoint(finds('Request.cookies', 'The request cuts cookies.'));
  });
  afterEach(async () => {
    await model.close();
    removeFolder(folder);
  });

  const search = (args: string[], env: Record<string, string> = {}) =>
    locus(fakeEngine(COOKIES), ['search', 'shop', 'cookies are cut', ...args], {
      env: { LOCUS_DATA_DIR: folder, ...env },
    });
  const here = () => ({ LOCUS_CHECK_URL: model.address, LOCUS_CHECK_MODEL: 'tiny' });

  it('contacts no model without the option, whatever the environment holds', async () => {
    const { exitCode, stdout } = await search([], here());
    assert.equal(exitCode, 0);
    assert.equal(model.asked.length, 0);
    assert.doesNotMatch(stdout, /check/);
  });

  it('asks the model that was set up in the window, unless another is given', async () => {
    {
      using database = openAppDatabase(folder);
      new SettingsStore(database).set({
        check: { ...CHECK_DEFAULTS, address: model.address, model: 'of-the-window' },
      });
    }
    const { stderr } = await search(['--check']);
    assert.match(stderr, /to of-the-window on this machine/);
    assert.equal(model.asked[0]?.model, 'of-the-window');
    await search(['--check'], here());
    assert.equal(model.asked[1]?.model, 'tiny');
  });

  it('prints the checked order with the reasons, and the cost before and after', async () => {
    const { exitCode, stdout, stderr } = await search(['--check'], here());
    assert.equal(exitCode, 0);
    assert.match(stderr, /Sending the issue and 2 results to tiny on this machine: 1 request, /);
    assert.match(stdout, /1 .*Request\.cookies[\s\S]*Edit here ↑1 {2}`The request cuts cookies\.`/);
    assert.match(stdout, /2 .*parse_cookie/);
    assert.match(
      stdout,
      /check {2}tiny on this machine, checked order · 1 request, [\d,]+ characters/,
    );
  });

  it('shows on a terminal how much of the answer has arrived, and the tokens that the server counted', async () => {
    await model.close();
    model = await fakeEndpoint((_, response) =>
      stream(response, streamOf({ edit: [], order: [2, 1], missing: ['the parser of headers'] })),
    );
    const { stdout, stderr } = await locus(
      fakeEngine(COOKIES),
      ['search', 'shop', 'cookies are cut', '--check'],
      { env: { LOCUS_DATA_DIR: folder, ...here() }, terminal: 120 },
    );
    assert.match(stderr, /tiny: answer of \d+ characters so far/);
    assert.match(stdout, /1 request, [\d,]+ characters \(940 tokens with the answer\)/);
    assert.doesNotMatch((await search(['--check'], here())).stderr, /so far/);
  });

  it('prints JSON with the outcome', async () => {
    const args = ['--check', '--check-url', model.address, '--check-model', 'tiny', '--json'];
    const { json } = await search([...args, '--limit', '1']);
    const { results, check } = json();
    assert.deepEqual(
      results.map(({ rank, name }: { rank: number; name: string }) => [rank, name]),
      [[1, 'cookies']],
    );
    assert.deepEqual(check.chunks[0], {
      address: 'shop/http/request.py::Request.cookies',
      isEdit: true,
      reason: 'The request cuts cookies.',
      from: 2,
      to: 1,
    });
  });

  it('prints the original order if the model fails', async () => {
    await model.close();
    const { exitCode, stdout, stderr } = await search(['--check'], here());
    assert.equal(exitCode, 0);
    assert.match(stdout, /1 .*parse_cookie/);
    assert.match(stderr, /Not checked\. The original order stays\. Nothing answers at 127/);
  });

  it('shows the reasons of a model without effect on the terminal', async () => {
    await model.close();
    model = await fakeEndpoint((_, response) =>
      complete(response, { edit: [{ id: 1, reason: '\u001b[2Jgone \u202eback' }], order: [1] }),
    );
    const { stdout } = await search(['--check'], here());
    assert.match(stdout, /Edit here {2}`\[2Jgone \\u\{202e\}back/);
  });

  it('exports the checked order, which an import shows', async () => {
    const run = (...args: string[]) =>
      locus(fakeEngine(COOKIES), args, { env: { LOCUS_DATA_DIR: folder, ...here() } });
    const args = ['export', 'shop', 'cookies are cut', '--check'];
    const ranks: Record<string, RegExp> = {
      markdown:
        /\*\*1\.\*\* `Request\.cookies`[\s\S]*Check: Edit here: `The request cuts cookies\.` \(rank 2 before\)/,
      csv: /\r\n1,.*Request\.cookies.*,edit,The request cuts cookies\.,2\r\n2,/,
      sarif: /1\. `Request\.cookies`[\s\S]*"rankBefore": 2/,
      prompt: /## 1\. `Request\.cookies`[\s\S]*Check: Edit here/,
    };
    for (const [format, expected] of Object.entries(ranks)) {
      const { stdout, exitCode } = await run(...args, '--format', format);
      assert.equal(exitCode, 0);
      assert.match(stdout, expected);
      assert.match(stdout, /Checked by `tiny on this machine` on \d{4}-/);
    }
    // One answer is enough for one list.
    assert.equal(model.asked.length, 1);
    const file = join(folder, 'list.json');
    await run(...args, '--output', file);
    const { stdout } = await run('import', 'shop', file);
    assert.match(stdout, /\nChecked by `tiny on this machine` on .*order and the verdicts/);
    assert.match(
      stdout,
      / 1 same .*Request\.cookies.*\n +Check: Edit here: `The request cuts cookies\.`/,
    );
    const { list, entries } = (await run('import', 'shop', file, '--json')).json();
    assert.equal(list.check.order, 'checked');
    assert.equal(entries[0].entry.check.rankBefore, 2);
  });

  it('exports the original order if the model fails', async () => {
    await model.close();
    const fake = fakeEngine(COOKIES);
    const setting = { env: { LOCUS_DATA_DIR: folder, ...here() } };
    const { stdout } = await locus(fake, ['export', 'shop', 'cookies', '--check'], setting);
    assert.match(stdout, /\*\*1\.\*\* `parse_cookie`/);
    assert.doesNotMatch(stdout, /Check/);
  });

  it('says that the code has changed since the check before', async () => {
    const first = await search(['--check'], here());
    const unchanged = await search(['--check'], here());
    for (const { stderr } of [first, unchanged]) assert.doesNotMatch(stderr, /is replaced/);
    const edited = [COOKIES[0]!, { ...COOKIES[1]!, contentHash: 'f'.repeat(40) }];
    const { stderr } = await locus(
      fakeEngine(edited),
      ['search', 'shop', 'cookies are cut', '--check'],
      { env: { LOCUS_DATA_DIR: folder, ...here() } },
    );
    assert.match(
      stderr,
      /The check of \d{4}-\d\d-\d\d is replaced\. Older than the code: 1 of 2 functions has changed/,
    );
  });

  it('reports a missing URL or model before it indexes', async () => {
    const agent = await search(['--check', '--check-url', 'agent:bash']);
    assert.equal(agent.exitCode, 2);
    assert.match(agent.stderr, /names no agent.*agent:claude/s);
    for (const args of [['--check'], ['--check', '--check-url', model.address]]) {
      const { exitCode, stderr } = await search(args);
      assert.equal(exitCode, 2);
      assert.match(stderr, /LOCUS_CHECK_URL/);
    }
    const { exitCode, stderr } = await search([
      ...['--check', '--check-url', 'localhost:1', '--check-model', 'tiny'],
    ]);
    assert.equal(exitCode, 2);
    assert.match(stderr, /http:\/\/127\.0\.0\.1/);
  });

  it('sends nothing to another machine without consent', async () => {
    const env = { LOCUS_CHECK_URL: 'http://models.invalid/v1', LOCUS_CHECK_MODEL: 'big' };
    const refused = await search(['--check'], env);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /would send the issue.*models\.invalid, unencrypted/);
    assert.match(refused.stderr, /--check-agree/);
  });
});
