/** Tests for both transports and both protocol eras, with an agent on one repository with the files of `SHOP`. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { countTokens } from '../../src/mcp/answer.ts';
import { MAX_ISSUE } from '../../src/shared/limits.ts';
import { type Agent, codeOf, ISSUE, names, SHOP } from './agent.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROL = /[\u0000-\u0008\u001b\u202e]/;
/** Maximum size of the list of tools with their schemas. */
const MAX_TOOLS_TOKENS = 1_300;

/** @param repository where its files are. */
export function hasManners(agent: () => Agent, repository: () => string): void {
  before(() => agent().ready(ISSUE));

  it('describes itself', async () => {
    const { client } = agent();
    assert.equal(client.getServerVersion()?.name, 'locus');
    assert.match(client.getInstructions() ?? '', /locate/);
  });

  it('lists its tools as read-only, with short descriptions', async () => {
    const { tools } = await agent().client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['locate', 'read', 'grep', 'repository_status'],
    );
    for (const { title, description, inputSchema, annotations } of tools) {
      assert.ok(title && description);
      assert.equal(inputSchema.type, 'object');
      const { readOnlyHint, idempotentHint, openWorldHint } = annotations ?? {};
      assert.deepEqual([readOnlyHint, idempotentHint, openWorldHint], [true, true, false]);
    }
    // They occupy the model's context for the whole session.
    const descriptions = tools.flatMap(({ description = '', inputSchema }) => [
      description,
      ...Object.values(inputSchema.properties ?? {}).map(
        (argument) => (argument as { description?: string }).description ?? '',
      ),
    ]);
    assert.ok(countTokens(descriptions.join('\n')) < 500);
    assert.ok(countTokens(JSON.stringify(tools)) < MAX_TOOLS_TOKENS);
  });

  it('sends structured answers only to clients that want them', async () => {
    const request = { name: 'read', arguments: { names: ['rounded'] } };
    const { content, structuredContent } = await agent().client.callTool(request);
    assert.equal(structuredContent, undefined);
    assert.match(JSON.stringify(content), /def rounded/);
  });

  it('locates, with the code and what surrounds it, and no JSON in the text', async () => {
    const { value, text } = await agent().call('locate', { query: ISSUE });
    const [first] = value.results;
    assert.deepEqual(names([first]), ['shop/money.py::rounded']);
    assert.deepEqual([first.kind, first.startLine, first.endLine], ['function', 1, 3]);
    assert.equal(codeOf(first), SHOP['shop/money.py'].trimEnd());
    assert.equal(value.partial, null);
    assert.match(text, /^`shop\/money\.py`\n1\. `rounded` \(function, 1-3\)\n1\| def rounded/);
    assert.match(text, /\n {2}called by: `Cart\.total` in `cart\.py`:11 \(#\d\)\n/);
    assert.match(text, /\n {2}tested by: `test_total` in `test_cart\.py`:4/);
    assert.doesNotMatch(text, /"path"/);
    const named = await agent().call('locate', { query: `${ISSUE}, by \`rounded\`` });
    assert.match(named.text, /\n1\. `rounded` \(function, 1-3\): the issue mentions `rounded`\n/);
    const few = await agent().call('locate', { query: ISSUE, limit: 1, paths: ['shop/cart.py'] });
    assert.equal(few.value.results.length, 1);
    assert.equal(few.value.results[0].path, 'shop/cart.py');
  });

  it('fits an answer into a budget, and says what is left out', async () => {
    const path = join(repository(), 'shop/many.py');
    const many = Array.from(
      { length: 60 },
      (_, i) =>
        `def rounded_price_${i}(cart):\n    digits = ${i}\n    return cart.prices(digits)\n`,
    );
    writeFileSync(path, many.join('\n\n'));
    for (const maxTokens of [300, 600, 2000]) {
      const { text, value } = await agent().call('locate', { query: ISSUE, maxTokens, limit: 30 });
      assert.ok(countTokens(text) <= maxTokens, `${countTokens(text)} of ${maxTokens}`);
      assert.ok(value.results.length > 2);
      const { omittedResults } = value;
      assert.equal(
        text.includes(`… ${omittedResults} more: use a larger maxTokens`),
        omittedResults > 0,
      );
    }
    rmSync(path);
  });

  it('folds look-alikes into one row', async () => {
    const copies = ['shop/copy.py', 'shop/other_copy.py'].map((path) => join(repository(), path));
    const code = `def rounded_total(cart, digits):\n    """The rounded prices of a cart."""\n    prices = cart.prices\n    if digits is None:\n        digits = 1\n    prices = sorted(prices)\n    return round(sum(prices), digits)\n`;
    writeFileSync(copies[0]!, code);
    writeFileSync(copies[1]!, code.replace('sum(prices)', 'sum(prices, 1)'));
    const { value, text } = await agent().call('locate', { query: ISSUE });
    const rows = value.results.filter(({ name }: { name: string }) => name === 'rounded_total');
    assert.equal(rows.length, 1);
    const [{ path, twins }] = rows;
    const [other] = ['shop/copy.py', 'shop/other_copy.py'].filter((one) => one !== path);
    assert.deepEqual(twins, [`${other}::rounded_total`]);
    assert.match(text, /\n {2}same code: `shop\/(?:other_)?copy\.py::rounded_total`\n/);
    for (const copy of copies) rmSync(copy);
  });

  it('reads a function with callers and the signatures of what it calls, cut to a budget', async () => {
    const { value, text } = await agent().call('read', { names: ['shop/cart.py::Cart.total'] });
    const [total] = value.functions;
    assert.match(codeOf(total), /return rounded\(sum/);
    assert.match(
      text,
      /\n9\| {5}def total\(self\):\n[\s\S]*calls:\n {2}`shop\/money\.py::rounded`:1 `def rounded\(amount, digits=1\):`$/,
    );
    const long = `def long():\n${'    do_this_and_that()\n'.repeat(200)}`;
    writeFileSync(join(repository(), 'shop/long.py'), long);
    const cut = await agent().call('read', { names: ['long'], maxTokens: 50 });
    const [one] = cut.value.functions;
    assert.match(codeOf(one), /^def long\(\):\n/);
    assert.ok(codeOf(one).length < 200);
    assert.equal(one.omittedLines + one.lines.length, 201);
    rmSync(join(repository(), 'shop/long.py'));
  });

  it('reads several functions, and reports names that do not exist', async () => {
    const names = ['rounded', 'nobody', 'Cart.total'];
    const { value, text } = await agent().call('read', { names });
    assert.deepEqual(
      value.functions.map(({ name }: { name: string }) => name),
      ['rounded', 'Cart.total'],
    );
    assert.match(text, /\nerror: .*nobody/);
  });

  it('follows calls in both directions, tests last', async () => {
    const show = ['callers', 'callees'];
    const { text } = await agent().call('read', { names: ['rounded'], show, depth: 2 });
    assert.match(
      text,
      /\ncalled by:\n {2}`shop\/cart\.py::Cart\.total`:11\n {2}`test\/test_cart\.py::test_total`:5, 2 steps\nIt calls nothing in the repository\.$/,
    );
    const one = await agent().call('read', { names: ['rounded'], show, depth: 2, limit: 1 });
    assert.match(one.text, /\n {2}… and 1 more: use a larger limit/);
  });

  it('lists the tests that reach a function, with the path, and says that no commit changed it', async () => {
    const show = ['tests', 'history'];
    const { text } = await agent().call('read', { names: ['rounded'], show });
    assert.match(
      text,
      /\ntests that reach it:\n {2}`test\/test_cart\.py::test_total`:4, 2 steps, through `Cart\.total`\n/,
    );
    assert.match(text, /\nNo commit that was read changed it\.$/);
    const none = await agent().call('read', { names: ['test_total'], show: ['tests'] });
    assert.match(none.text, /No test reaches it/);
  });

  it('answers for a diff what else to change, and which tests to run', async () => {
    const diff = [
      'diff --git a/shop/money.py b/shop/money.py',
      '--- a/shop/money.py',
      '+++ b/shop/money.py',
      '@@ -1,3 +1,3 @@',
      '-def rounded(amount, digits=1):',
      '+def rounded(amount, digits):',
      '     """A price, rounded to so many digits."""',
      '     return round(amount, digits)',
      '',
    ].join('\n');
    const { text } = await agent().call('locate', { query: `What else must change?\n${diff}` });
    assert.match(text, /^1 function edited:\n {2}`shop\/money\.py::rounded`:1: signature\n/);
    assert.match(
      text,
      /\nmay have to change, too:\n {2}1\. `shop\/cart\.py::Cart\.total` \(method, 9-11\): calls .*\(line 11\)/,
    );
    assert.match(text, /\ntests to run:\n {2}`test\/test_cart\.py::test_total`:4, 2 steps/);
    const quoting = `${ISSUE}\n\nI tried:\n\nthis\n\n\n${diff}`;
    assert.match(
      (await agent().call('locate', { query: quoting })).text,
      /^`shop\/money\.py`\n1\. /,
    );
  });

  it('finds text, grouped by function, within a budget', async () => {
    const { text } = await agent().call('grep', { pattern: 'rounded' });
    assert.match(
      text,
      /^`shop\/money\.py`\n`rounded` \(function, 1-3\)\n1\| def rounded\(amount, digits=1\):\n/,
    );
    assert.match(text, /\n`shop\/cart\.py`\n`Cart\.total` \(method, 9-11\)\n11\| return rounded\(/);
    assert.match(
      text,
      /\n`shop\/cart\.py`, outside functions\n2\| from shop\.money import rounded\n/,
    );
    assert.match(text, /\n\d+ matches in \d functions, \d files$/);
    const regex = await agent().call('grep', { pattern: 'r[eo]und(ed)?', isRegex: true });
    assert.match(regex.text, /def rounded/);
    const none = await agent().call('grep', { pattern: 'no such text' });
    assert.equal(none.text, 'Nothing found in 3 files.');
    assert.match(await agent().fails('grep', { pattern: '(', isRegex: true }), /^error: .*\n→ /);
    const path = join(repository(), 'shop/many.py');
    const many = Array.from({ length: 80 }, (_, i) => `def many_${i}():\n    return 'many more'\n`);
    writeFileSync(path, many.join('\n\n'));
    const cut = await agent().call('grep', { pattern: 'many more', limit: 100, maxTokens: 300 });
    assert.ok(countTokens(cut.text) <= 300);
    assert.match(
      cut.text,
      /\n… \d+ more: use paths, a larger limit or maxTokens\n80 matches in 80 functions, 1 file$/,
    );
    rmSync(path);
  });

  it('answers with the code as edited a moment ago', async () => {
    const path = join(repository(), 'shop/tax.py');
    writeFileSync(path, 'def value_added_tax(net):\n    return net * 0.19\n');
    const before = await agent().call('read', { names: ['value_added_tax'] });
    assert.match(codeOf(before.value.functions[0]), /0\.19/);
    writeFileSync(path, 'def value_added_tax(net, rate):\n    return net * rate\n');
    const after = await agent().call('read', { names: ['value_added_tax'] });
    assert.match(codeOf(after.value.functions[0]), /net \* rate/);
    const found = await agent().call('locate', { query: 'the value added tax has a wrong rate' });
    assert.equal(found.value.results[0].name, 'value_added_tax');
    rmSync(path);
    assert.match(await agent().fails('read', { names: ['value_added_tax'] }), /No function/);
  });

  it('reports failures to the model, with a remedy, and not as protocol errors', async () => {
    assert.match(await agent().fails('read', { names: ['nobody'] }), /nobody.*\n→ Name it as/s);
    assert.match(await agent().fails('locate', {}), /query/);
    assert.match(await agent().fails('locate', { query: ISSUE, limit: 99 }), /limit: .*30/);
    assert.match(await agent().fails('read', { names: ['rounded'], depth: 'deep' }), /depth/);
    const globs = await agent().fails('locate', { query: ISSUE, paths: ['**/'.repeat(9)] });
    assert.match(globs, /\n→ /);
  });

  it('refuses an issue URL instead of searching for its words', async () => {
    for (const issue of ['https://github.com/acme/shop/issues/12', 'acme/shop#12', '#12'])
      assert.match(
        await agent().fails('locate', { query: issue }),
        /This is the URL of an issue. The server does not fetch issues\.\n→ Pass the text of the issue/,
      );
    const { value } = await agent().call('locate', { query: `${ISSUE} See acme/shop#12.` });
    assert.ok(value.results.length > 0);
  });

  it('lists the available repositories in the error for an unknown one', async () => {
    for (const other of ['/etc', '..', '../..', 'nowhere', `${repository()}/../x`]) {
      const text = await agent().fails('locate', { query: ISSUE, repository: other });
      assert.match(text, /is unknown\. Available: /, other);
      assert.ok(text.includes(repository()), text);
    }
    const { value } = await agent().call('read', { names: ['rounded'], repository: repository() });
    assert.equal(value.functions[0].name, 'rounded');
  });

  it('accepts a huge issue, and refuses a larger one', async () => {
    const huge = `${ISSUE}\n${'lorem ipsum dolor '.repeat(60_000)}`;
    const { value } = await agent().call('locate', { query: huge });
    assert.ok(value.results.length > 0);
    const text = await agent().fails('locate', { query: 'x'.repeat(MAX_ISSUE + 1) });
    assert.match(
      text,
      /5,000,001 characters, of at most 5,000,000; shorten it to the relevant part/,
    );
    assert.ok(text.length < 1000);
  });

  it('passes on no control characters of a repository', async () => {
    const path = join(repository(), 'shop/hostile.py');
    writeFileSync(path, 'def hostile():\n    return "\u001b[2J\u202e\u0007"\n');
    const { value, text } = await agent().call('read', { names: ['hostile'] });
    assert.match(codeOf(value.functions[0]), /\\e\[2J\\u\{202e\}\\x07/);
    for (const said of [text, codeOf(value.functions[0])]) assert.doesNotMatch(said, CONTROL);
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
