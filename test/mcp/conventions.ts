/** Tests for both transports and both protocol eras, with an agent on one repository with the files of `SHOP`. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { MAX_ISSUE } from '../../src/shared/limits.ts';
import { type Agent, ISSUE, names } from './agent.ts';

/** @param repository where its files are. */
export function hasManners(agent: () => Agent, repository: () => string): void {
  before(() => agent().ready(ISSUE));

  it('describes itself', async () => {
    const { client } = agent();
    assert.equal(client.getServerVersion()?.name, 'locus');
    assert.match(client.getInstructions() ?? '', /locate/);
  });

  it('lists its tools as read-only, with input and output schemas', async () => {
    const { tools } = await agent().client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['locate', 'read', 'neighbors', 'history', 'repository_status'],
    );
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      assert.ok(title && description);
      assert.equal(inputSchema.type, 'object');
      assert.equal(outputSchema?.type, 'object');
      const { readOnlyHint, idempotentHint, openWorldHint } = annotations ?? {};
      assert.deepEqual([readOnlyHint, idempotentHint, openWorldHint], [true, true, false]);
    }
    // They occupy the model's context for the whole session, so their size is limited.
    assert.ok(JSON.stringify(tools).length < 11_300);
  });

  it('locates, with a reason for each result, code within a budget, and no JSON in the text', async () => {
    const { value, text } = await agent().call('locate', { issue: ISSUE, codeTokens: 40 });
    const [first, second] = value.results;
    assert.deepEqual(names([first]), ['shop/money.py::rounded']);
    assert.deepEqual([first.kind, first.startLine, first.endLine], ['function', 1, 3]);
    assert.match(first.reason, /rounded/);
    assert.match(first.code, /^def rounded\(amount, digits=1\):\n/);
    assert.ok(!('code' in second) || second.omittedLines > 0);
    assert.equal(value.partial, null);
    assert.match(text, /^1\. `shop\/money\.py::rounded` \(function, lines 1-3\)\n {3}\S/);
    assert.doesNotMatch(text, /"path"/);
    const few = await agent().call('locate', { issue: ISSUE, limit: 1, paths: ['shop/cart.py'] });
    assert.equal(few.value.results.length, 1);
    assert.equal(few.value.results[0].path, 'shop/cart.py');
  });

  it('reads a function with the signatures of what it calls, cut to a budget', async () => {
    const { value, text } = await agent().call('read', { name: 'shop/cart.py::Cart.total' });
    assert.match(value.code, /return rounded\(sum/);
    assert.deepEqual(names(value.callees), ['shop/money.py::rounded']);
    assert.equal(value.callees[0].signature, 'def rounded(amount, digits=1):');
    assert.match(
      text,
      /\n\| {5}def total\(self\):\n[\s\S]*calls:\n {2}`shop\/money\.py::rounded` `def rounded/,
    );
    const long = `def long():\n${'    do_this_and_that()\n'.repeat(200)}`;
    writeFileSync(join(repository(), 'shop/long.py'), long);
    const cut = await agent().call('read', { name: 'long', maxTokens: 50 });
    assert.match(cut.value.code, /^def long\(\):\n/);
    assert.ok(cut.value.code.length < 200);
    assert.equal(cut.value.omittedLines + cut.value.code.split('\n').length, 201);
    rmSync(join(repository(), 'shop/long.py'));
  });

  it('follows calls in both directions, tests last', async () => {
    const { value } = await agent().call('neighbors', { name: 'rounded', depth: 2 });
    assert.deepEqual(names(value.callers), [
      'shop/cart.py::Cart.total',
      'test/test_cart.py::test_total',
    ]);
    assert.deepEqual(value.callees, []);
    const one = await agent().call('neighbors', { name: 'rounded', depth: 2, limit: 1 });
    assert.deepEqual([one.value.callers.length, one.value.omittedCallers], [1, 1]);
  });

  it('lists the tests that reach a function, with the path', async () => {
    const { value, text } = await agent().call('neighbors', {
      name: 'rounded',
      direction: 'tests',
    });
    assert.deepEqual(names(value.callers), ['test/test_cart.py::test_total']);
    assert.deepEqual([value.callers[0].distance, value.callers[0].through], [2, 'Cart.total']);
    assert.match(
      text,
      /\ntests that reach it:\n {2}`test\/test_cart\.py::test_total` \(.*\), 2 steps, through `Cart\.total`$/,
    );
    const none = await agent().call('neighbors', { name: 'test_total', direction: 'tests' });
    assert.deepEqual(none.value.callers, []);
    assert.match(none.text, /No test reaches it/);
  });

  it('answers with the code as edited a moment ago', async () => {
    const path = join(repository(), 'shop/tax.py');
    writeFileSync(path, 'def value_added_tax(net):\n    return net * 0.19\n');
    const before = await agent().call('read', { name: 'value_added_tax' });
    assert.match(before.value.code, /0\.19/);
    writeFileSync(path, 'def value_added_tax(net, rate):\n    return net * rate\n');
    const after = await agent().call('read', { name: 'value_added_tax' });
    assert.match(after.value.code, /net \* rate/);
    const found = await agent().call('locate', { issue: 'the value added tax has a wrong rate' });
    assert.equal(found.value.results[0].name, 'value_added_tax');
    rmSync(path);
    assert.match(await agent().fails('read', { name: 'value_added_tax' }), /No function/);
  });

  it('reports failures to the model, with a remedy, and not as protocol errors', async () => {
    assert.match(await agent().fails('read', { name: 'nobody' }), /nobody.*\n→ Name it as/s);
    assert.match(await agent().fails('locate', {}), /issue/);
    assert.match(await agent().fails('locate', { issue: ISSUE, limit: 99 }), /limit: .*20/);
    assert.match(await agent().fails('neighbors', { name: 'rounded', depth: 'deep' }), /depth/);
    const globs = await agent().fails('locate', { issue: ISSUE, paths: ['**/'.repeat(9)] });
    assert.match(globs, /\n→ /);
  });

  it('refuses an issue URL instead of searching for its words', async () => {
    for (const issue of ['https://github.com/acme/shop/issues/12', 'acme/shop#12', '#12'])
      assert.match(
        await agent().fails('locate', { issue }),
        /This is the URL of an issue. The server does not fetch issues\.\n→ Pass the text of the issue/,
      );
    const { value } = await agent().call('locate', { issue: `${ISSUE} See acme/shop#12.` });
    assert.ok(value.results.length > 0);
  });

  it('lists the available repositories in the error for an unknown one', async () => {
    for (const other of ['/etc', '..', '../..', 'nowhere', `${repository()}/../x`]) {
      const text = await agent().fails('locate', { issue: ISSUE, repository: other });
      assert.match(text, /is unknown\. Available: /, other);
      assert.ok(text.includes(repository()), text);
    }
    const { value } = await agent().call('read', { name: 'rounded', repository: repository() });
    assert.equal(value.name, 'rounded');
  });

  it('accepts a huge issue, and refuses a larger one', async () => {
    const huge = `${ISSUE}\n${'lorem ipsum dolor '.repeat(60_000)}`;
    const { value } = await agent().call('locate', { issue: huge });
    assert.ok(value.results.length > 0);
    const text = await agent().fails('locate', { issue: 'x'.repeat(MAX_ISSUE + 1) });
    assert.match(
      text,
      /5,000,001 characters, of at most 5,000,000; shorten it to the relevant part/,
    );
    assert.ok(text.length < 1000);
  });

  it('passes on no control characters of a repository', async () => {
    const path = join(repository(), 'shop/hostile.py');
    writeFileSync(path, 'def hostile():\n    return "\u001b[2J\u202e\u0007"\n');
    const { value, text } = await agent().call('read', { name: 'hostile' });
    assert.match(value.code, /\\e\[2J\\u\{202e\}\\x07/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    for (const said of [text, value.code]) assert.doesNotMatch(said, /[\u0000-\u0008\u001b\u202e]/);
    rmSync(path);
  });

  it('has a prompt for a person to start from', async () => {
    const { prompts } = await agent().client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['locate_issue'],
    );
    const { messages } = await agent().client.getPrompt({
      name: 'locate_issue',
      arguments: { issue: ISSUE },
    });
    assert.ok(JSON.stringify(messages).includes(ISSUE));
  });

  it('reports the state of the index', async () => {
    await agent().ready(ISSUE);
    const { value, text } = await agent().call('repository_status');
    const [{ state, files, languages, path }] = value.repositories;
    assert.deepEqual([state, files, languages, path], ['complete', 3, ['Python'], repository()]);
    assert.match(text, /: complete; \d+ functions in 3 files/);
  });
}
