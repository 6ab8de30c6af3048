import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, onStage, openRepository, pasteIssue } from './support.ts';

/** Text with more words than the model's limit for a body. */
const LONG_BODY = Array.from({ length: 400 }, (_, at) => `    beginning_${at} = ${at}`);

/** Sample in which `parse` has callers and callees, and `log` has many callers. */
const CALLERS = 60;
const FILES = {
  'shop/log.py': 'def log(text):\n    """Write a line to the log."""\n    print(text)\n',
  'shop/parse.py': `from shop.base import Reader
from shop.log import log


def traced(function):
    """Log every call."""
    return function


class CookieReader(Reader):
    """Reads cookies."""


@traced
def parse_cookie(header):
    """Split a Cookie header into names and values."""
    log("parse")
    reader = CookieReader()
    return unquote(header, reader)


def unquote(value, reader):
    """Take the quotes off a cookie value."""
    if value.startswith('"'):
        return unquote(value[1:], reader)
    return strip_comma(value)


def strip_comma(value):
    return value.rstrip(",")
`,
  'shop/base.py': 'class Reader:\n    """Reads anything."""\n',
  'shop/request.py': `from shop.parse import parse_cookie


def cookies_of(request):
    return parse_cookie(request.header)


def guessed(thing):
    return thing.only_here_by_name()


class Thing:
    def only_here_by_name(self):
        return "<img src=x onerror=alert(1)>"
`,
  'tests/test_parse.py': `from shop.parse import parse_cookie


def test_parse_cookie():
    assert parse_cookie("a=1")
`,
  'shop/long.py': ['def unquote_all():', ...LONG_BODY, '    return the_very_end', ''].join('\n'),
  'shop/many.py': `from shop.log import log\n\n${Array.from(
    { length: CALLERS },
    (_, at) => `\ndef step_${at}():\n    log("${at}")\n`,
  ).join('\n')}`,
};

const ISSUE = 'parse_cookie cuts a quoted cookie value short at the comma, see unquote';

describe('neighbors', () => {
  const scene = onStage(FILES);

  /** Opens a window, searches the issue and selects a result. */
  async function openAt(name: string, options = {}, issue = ISSUE): Promise<Page> {
    const page = await openRepository(scene, options);
    await pasteIssue(page, issue);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator(`[role=option][data-name="${name}"]`).click();
    return page;
  }
  const graphIn = (page: Page) => page.getByRole('application', { name: 'Call graph' });
  const selectedName = (page: Page) =>
    page.locator('[role=option][aria-selected=true]').getAttribute('data-name');
  /** Returns the accessible name of the focused node. */
  const activeLabel = (page: Page) =>
    graphIn(page).evaluate(
      (graph) =>
        document.getElementById(graph.getAttribute('aria-activedescendant')!)?.textContent ?? '',
    );

  /** Presses a key until the focus is on a node. */
  async function press(page: Page, key: string, there: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 100; i++) {
      if (await there()) return;
      await page.keyboard.press(key);
    }
    assert.fail(`${key} leads nowhere`);
  }

  it('surround the selected function: callers to the left, callees to the right', async () => {
    const page = await openAt('parse_cookie');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    const graph = graphIn(page);
    const left = async (name: RegExp) =>
      (await graph.getByRole('button', { name }).boundingBox())!.x;
    const middle = await left(/^parse_cookie function, center/);
    assert.ok((await left(/^cookies_of function, caller/)) < middle);
    assert.ok((await left(/^test_parse_cookie test function, caller/)) < middle);
    assert.ok((await left(/^unquote function, callee/)) > middle);
    await page.getByText('2 callers · 4 callees').waitFor();
    await graph.getByText('new', { exact: true }).waitFor();
    await graph.getByText('@', { exact: true }).waitFor();
    const layers = (all: Element[]) => all.map((one) => Number(getComputedStyle(one).zIndex) || 0);
    const edges = await graph.locator('.react-flow__edges > svg').evaluateAll(layers);
    const labels = await graph.getByText('new', { exact: true }).evaluateAll(layers);
    assert.ok(Math.min(...labels) >= Math.max(...edges), 'an edge crosses its label out');
    assert.equal(await graph.getByRole('button', { name: /^strip_comma/ }).count(), 0);
    await page.getByRole('button', { name: '2 steps' }).click();
    await graph.getByRole('button', { name: /^strip_comma function, callee in 2 steps/ }).waitFor();

    // A click selects, and the graph stays where it is.
    await graph.getByRole('button', { name: /^unquote/ }).click();
    assert.equal(await selectedName(page), 'unquote');
    await graph.getByRole('button', { name: /^parse_cookie function, center/ }).waitFor();
    // Selecting in the list moves the graph.
    await page.locator('[role=option][data-name="strip_comma"]').click();
    await graph.getByRole('button', { name: /^strip_comma function, center/ }).waitFor();
  });

  it('can be visited by keyboard', async () => {
    const page = await openAt('parse_cookie');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Control+Alt+b');
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('role') === 'application',
    );
    assert.match(await activeLabel(page), /^parse_cookie function, center/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await activeLabel(page), /caller/);
    await page.keyboard.press('ArrowRight');
    assert.match(await activeLabel(page), /^parse_cookie/);
    await page.keyboard.press('ArrowRight');
    const seen = new Set<string>();
    for (let i = 0; i < 8; i++) {
      seen.add((await activeLabel(page)).split(' ')[0]);
      await page.keyboard.press(i < 4 ? 'ArrowUp' : 'ArrowDown');
    }
    assert.deepEqual([...seen].sort(), ['CookieReader', 'log', 'traced', 'unquote']);
    await press(page, 'ArrowUp', async () => (await activeLabel(page)).startsWith('unquote'));
    await page.keyboard.press('Enter');
    await graphIn(page)
      .getByRole('button', { name: /^unquote function, center/ })
      .waitFor();
    assert.equal(await selectedName(page), 'unquote');
    await page.keyboard.press('Alt+ArrowLeft');
    await graphIn(page)
      .getByRole('button', { name: /^parse_cookie function, center/ })
      .waitFor();
    await page.keyboard.press(']');
    await graphIn(page)
      .getByRole('button', { name: /^strip_comma/ })
      .waitFor();
    await page.keyboard.press('Escape');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[data-pane=results]') !== null),
    );
  });

  it('of a hub are counted and opened on demand', async () => {
    const page = await openAt('log', {}, '`log` writes nothing');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    const graph = graphIn(page);
    await page.getByText(`${CALLERS + 1} callers`).waitFor();
    await graph.getByRole('button', { name: /51 more callers/ }).waitFor();
    const callers = graph.getByRole('button', { name: /function, caller,/ });
    assert.equal(await callers.count(), 10);
    await graph.focus();
    await page.keyboard.press('ArrowLeft');
    const atMore = async () => /more callers/.test(await activeLabel(page));
    for (let i = 0; i < CALLERS; i++) await page.keyboard.press('ArrowUp');
    await press(page, 'ArrowDown', atMore);
    await page.keyboard.press('Enter');
    await graph.getByRole('button', { name: /26 more callers/ }).waitFor();
    assert.equal(await callers.count(), 35);
  });

  it('can be shown as a tree', async () => {
    const page = await openAt('parse_cookie');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.getByRole('button', { name: '2 steps' }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const tree = page.getByRole('tree', { name: 'Callers and callees' });
    const unquote = tree.getByRole('treeitem', { name: /unquote/ });
    await unquote.waitFor();
    assert.equal(await unquote.getAttribute('aria-expanded'), 'false');
    await tree.focus();
    await page.keyboard.press('End');
    const active = () =>
      tree.evaluate(
        (tree) =>
          document.getElementById(tree.getAttribute('aria-activedescendant')!)!.textContent!,
      );
    await press(page, 'ArrowUp', async () => (await active()).includes('unquote'));
    await page.keyboard.press('ArrowRight');
    assert.equal(await unquote.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('ArrowRight');
    assert.match(await active(), /strip_comma/);
    await page.keyboard.press(' ');
    assert.equal(await selectedName(page), 'strip_comma');
    await page.keyboard.press('ArrowLeft');
    assert.match(await active(), /unquote/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^unquote function/, pressed: true }).waitFor();
  });

  it('are followed by similar functions, by mouse', async () => {
    const page = await openAt('parse_cookie');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.getByRole('button', { name: 'Similar', exact: true }).click();
    const list = page.getByRole('list', { name: 'Functions similar to parse_cookie' });
    const first = list.getByRole('button').first();
    await first.waitFor();
    assert.match(await first.innerText(), /^\d+%/);
    // Its test is similar; the function itself is not listed.
    await list
      .getByRole('button', { name: /test_parse\w* test function/ })
      .first()
      .waitFor();
    assert.equal(await list.getByRole('button', { name: /parse_cookie function/ }).count(), 0);
    const shares = (await list.getByRole('button').allInnerTexts()).map((text) =>
      parseInt(text, 10),
    );
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => b - a),
    );
    await page.getByText(/\d+ functions compared/).waitFor();

    // A click selects, and the list stays; a double click centers the function.
    const unquote = list.getByRole('button', { name: /unquote function/ });
    await unquote.click();
    assert.equal(await selectedName(page), 'unquote');
    assert.equal(await unquote.getAttribute('aria-pressed'), 'true');
    await unquote.dblclick();
    await page.getByRole('list', { name: 'Functions similar to unquote' }).waitFor();
    await page.getByRole('button', { name: 'Back to previous function' }).click();
    await list.waitFor();
  });

  it('are followed by similar functions, by keyboard', async () => {
    const page = await openAt('parse_cookie');
    await page.keyboard.press('Control+Alt+m');
    const list = page.getByRole('list', { name: 'Functions similar to parse_cookie' });
    await list.waitFor();
    // Focus again: on a busy machine the list may arrive after the focus has moved.
    await page.keyboard.press('Control+Alt+m');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const rows = await list.getByRole('button').allTextContents();
    await page.waitForFunction(() => document.activeElement?.closest('ul') !== null);
    assert.equal(await focused(), rows[0]);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), rows[1]);
    await page.keyboard.press('End');
    assert.equal(await focused(), rows.at(-1));
    await press(page, 'ArrowUp', async () => /unquote function/.test(await focused()));
    await page.keyboard.press(' ');
    assert.equal(await selectedName(page), 'unquote');
    await page.keyboard.press('Enter');
    const next = page.getByRole('list', { name: 'Functions similar to unquote' });
    await next.waitFor();
    await page.waitForFunction(
      (first) => document.activeElement?.textContent === first,
      (await next.getByRole('button').allTextContents())[0],
    );
    await page.keyboard.press('Alt+ArrowLeft');
    await list.waitFor();
    await page.keyboard.press('Escape');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[data-pane=results]') !== null),
    );
  });

  it('are followed by the tests that reach the selected function, by keyboard', async () => {
    const page = await openAt('unquote');
    await page.keyboard.press('Control+Alt+u');
    const list = page.getByRole('list', { name: 'Tests that reach unquote' });
    await list.waitFor();
    const [row, ...others] = await list.getByRole('button').allInnerTexts();
    assert.match(
      row ?? '',
      /^2 calls\s+test_parse_cookie\s+test function\s[\s\S]*via parse_cookie\s+tests\/test_parse.py\s*:4$/,
    );
    assert.deepEqual(others, []);
    await page.getByText('1 test reaches').waitFor();

    // Focus again: on a busy machine the list may arrive later.
    await page.keyboard.press('Control+Alt+u');
    await page.waitForFunction(() => document.activeElement?.closest('ul') !== null);
    await page.keyboard.press(' ');
    await list.locator('button[aria-pressed=true]').waitFor();
    assert.equal(await selectedName(page), 'test_parse_cookie');
    await page.keyboard.press('Escape');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[data-pane=results]') !== null),
    );
    await checkAccessibility(page, 'tests that reach a function');
  });

  it('explain what it means that no test reaches the selected function', async () => {
    const page = await openAt('unquote_all');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.getByRole('button', { name: 'Tests', exact: true }).click();
    await page.getByRole('heading', { name: 'No test reaches unquote_all' }).waitFor();
    await page.getByText('The call graph doesn’t include').waitFor();
    await checkAccessibility(page, 'no test reaches a function');
    // The view stays for the next function.
    await page.locator('[role=option][data-name="parse_cookie"]').click();
    await page
      .getByRole('list', { name: 'Tests that reach parse_cookie' })
      .getByText('direct')
      .waitFor();
  });

  it('show the model input, and lead to the lines of the calls', async () => {
    const page = await openAt('parse_cookie');
    await page.keyboard.press('Control+Alt+r');
    const input = page.getByRole('region', { name: 'Model input' });
    await input.getByText('shop/parse.py', { exact: true }).waitFor();
    await input.getByText('reader = CookieReader()').waitFor();
    await input.getByText('If a function ranks lower than you expect, look here').waitFor();
    assert.doesNotMatch(await input.innerText(), /token|bag-1|embedded/);
    await input.getByText('Details').click();
    assert.match(await input.innerText(), /\d+ tokens[\s\S]*bag-1@[\d.]+, embedded/);
    const from = input.getByRole('region', { name: 'Called from' });
    const call = from.getByRole('listitem').filter({ hasText: 'shop/request.py::cookies_of' });
    await call.getByRole('button', { name: 'Show line 5 in preview' }).click();
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    // Decorations split a line into several elements.
    await code.locator('.view-line', { hasText: 'parse_cookie(request.header)' }).waitFor();

    await page.getByRole('tab', { name: 'Model input' }).click();
    await input.getByText('Model input for cookies_of').waitFor();
    await input.getByRole('button', { name: 'shop/parse.py::parse_cookie' }).first().click();
    await input.getByText('Model input for parse_cookie').waitFor();
  });

  it('say which parts were cut from the model input', async () => {
    const page = await openAt('unquote_all');
    await page.getByRole('tab', { name: 'Model input' }).click();
    const input = page.getByRole('region', { name: 'Model input' });
    await input.getByText('beginning_0 = 0').waitFor();
    const cut = input.getByRole('button', { name: 'Left out' });
    assert.equal(await cut.getAttribute('aria-expanded'), 'false');
    assert.equal(await input.getByText('the_very_end').count(), 0);
    await cut.click();
    await input
      .getByRole('button', { name: /^Show all/ })
      .last()
      .click();
    const removed = input.getByRole('deletion');
    assert.match(await removed.innerText(), /return the_very_end/);
    assert.doesNotMatch(await removed.innerText(), /beginning_0 = 0/);
    await checkAccessibility(page, 'model input with what was cut');
  });

  it('are accessible', async () => {
    const page = await openAt('parse_cookie');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.getByRole('button', { name: '3 steps' }).click();
    await graphIn(page)
      .getByRole('button', { name: /^strip_comma/ })
      .waitFor();
    await checkAccessibility(page, 'graph');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('tree').waitFor();
    await checkAccessibility(page, 'tree');
    await page.getByRole('button', { name: 'Similar', exact: true }).click();
    await page.getByRole('list', { name: /^Functions similar to/ }).waitFor();
    await checkAccessibility(page, 'similar functions');
    await page.getByRole('tab', { name: 'Model input' }).click();
    await page.getByRole('region', { name: 'Model input' }).getByText('Details').click();
    await checkAccessibility(page, 'model input');
  });
});
