import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { COOKIES } from '../exchange/sample.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { complete, type FakeEndpoint, fakeEndpoint, finds } from '../verify/fake-endpoint.ts';
import { fakeEngine, locus } from './fake-host.ts';

describe('locus search --verify', () => {
  let folder: string;
  let model: FakeEndpoint;
  beforeEach(async () => {
    folder = temporaryFolder();
    model = await fakeEndpoint(finds('Request.cookies'));
  });
  afterEach(async () => {
    await model.close();
    removeFolder(folder);
  });

  const search = (args: string[], env: Record<string, string> = {}) =>
    locus(fakeEngine(COOKIES), ['search', 'shop', 'cookies are cut', ...args], {
      env: { LOCUS_DATA_DIR: folder, ...env },
    });
  const here = () => ({ LOCUS_VERIFIER_URL: model.address, LOCUS_VERIFIER_MODEL: 'tiny' });

  it('contacts no model without the option, whatever the environment holds', async () => {
    const { exitCode, stdout } = await search([], here());
    assert.equal(exitCode, 0);
    assert.equal(model.asked.length, 0);
    assert.doesNotMatch(stdout, /check/);
  });

  it('prints the verified order with its verdicts, and the cost before and after', async () => {
    const { exitCode, stdout, stderr } = await search(['--verify'], here());
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /Sending the issue and 2 results to tiny at 127\.0\.0\.1:\d+: 1 request, /,
    );
    assert.match(stdout, /1 .*Request\.cookies[\s\S]*Edit here ↑1 {2}`It splits the header\.`/);
    assert.match(stdout, /2 .*parse_cookie[\s\S]*Not relevant ↓1 {2}`It has no part in it\.`/);
    assert.match(stdout, /check {2}tiny at .*, verified order · 1 request, [\d,]+ characters/);
  });

  it('prints JSON with the outcome', async () => {
    const args = ['--verify', '--verify-url', model.address, '--verify-model', 'tiny', '--json'];
    const { json } = await search([...args, '--limit', '1']);
    const { results, verification } = json();
    assert.deepEqual(
      results.map(({ rank, name }: { rank: number; name: string }) => [rank, name]),
      [[1, 'cookies']],
    );
    assert.deepEqual(verification.chunks[0], {
      address: 'shop/http/request.py::Request.cookies',
      verdict: 'edit',
      reason: 'It splits the header.',
      from: 2,
      to: 1,
    });
  });

  it('prints the original order if the model fails', async () => {
    await model.close();
    const { exitCode, stdout, stderr } = await search(['--verify'], here());
    assert.equal(exitCode, 0);
    assert.match(stdout, /1 .*parse_cookie/);
    assert.match(stderr, /Not verified\. The original order stays\. Nothing answers at 127/);
  });

  it('shows the reasons of a model without effect on the terminal', async () => {
    await model.close();
    model = await fakeEndpoint((_, response) =>
      complete(response, {
        chunks: [{ id: 'c1', verdict: 'edit', reason: '\u001b[2Jgone \u202eback' }],
      }),
    );
    const { stdout } = await search(['--verify'], here());
    assert.match(stdout, /Edit here {2}`\[2Jgone \\u\{202e\}back/);
  });

  it('reports a missing URL or model before it indexes', async () => {
    for (const args of [['--verify'], ['--verify', '--verify-url', model.address]]) {
      const { exitCode, stderr } = await search(args);
      assert.equal(exitCode, 2);
      assert.match(stderr, /LOCUS_VERIFIER_URL/);
    }
    const { exitCode, stderr } = await search([
      ...['--verify', '--verify-url', 'localhost:1', '--verify-model', 'tiny'],
    ]);
    assert.equal(exitCode, 2);
    assert.match(stderr, /http:\/\/127\.0\.0\.1/);
  });

  it('sends nothing to another machine without consent', async () => {
    const env = { LOCUS_VERIFIER_URL: 'http://models.invalid/v1', LOCUS_VERIFIER_MODEL: 'big' };
    const refused = await search(['--verify'], env);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /would send the issue.*models\.invalid, unencrypted/);
    assert.match(refused.stderr, /--verify-agree/);
  });
});
