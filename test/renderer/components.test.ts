import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDetail } from '../../src/shared/detail.ts';
import { CHOOSE_EDITOR } from '../../src/shared/editor-command.ts';
import type { Failure } from '../../src/shared/errors.ts';
import type { IssueSummary } from '../../src/shared/issues.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { settings } from '../../src/shared/settings.ts';
import { call, chunk, marks, neighborhood, ranking } from './support.ts';
import { type Answers, prepareStage, REPOSITORY, type Stage } from './window/stage.ts';

const show = prepareStage();

const ISSUE = 'The total of the cart forgets the tax';
const FAILURE: Failure = {
  code: 'unexpected',
  message: 'The index is damaged.',
  remedy: 'Open the folder again.',
};
const NAMES = ['total', 'add_tax', 'checkout'];

/** The answer to a search: these functions of `shop/cart.py`, best first. */
function found(
  state: SearchResponse['reranking']['state'],
  names: readonly string[],
): SearchResponse {
  return {
    repository: { root: REPOSITORY.root, name: 'shop', revision: null, files: 1, chunks: 3 },
    issue: {
      title: ISSUE,
      length: ISSUE.length,
      names: [],
      paths: [],
      unindexed: [],
      frames: [],
      rare: [],
      blocks: [],
      notes: [],
    },
    model: { id: 'bag-1', version: '1', device: 'cpu' },
    partial: null,
    reranking: {
      state,
      count: names.length,
      of: names.length,
      milliseconds: 1,
      models: [],
      rerankers: [],
      note: null,
    },
    confidence: null,
    tookMs: 5,
    results: ranking(
      ...names.map((name) => `shop/${name.includes('tax') ? 'tax' : 'cart'}.py::${name}`),
    ),
  } as unknown as SearchResponse;
}

/** A promise, and what settles it. */
const pending = <T>() => Promise.withResolvers<T>();

async function searchFor(stage: Stage, text = ISSUE): Promise<void> {
  await stage.drive('loadIssue', text);
}

/** Names in the list, from top to bottom. */
async function namesIn({ page }: Stage): Promise<(string | null)[]> {
  await page.getByRole('option').first().waitFor();
  const rows = await page.getByRole('option').all();
  const named = await Promise.all(
    rows.map(async (row) => ({
      at: Number(await row.getAttribute('aria-posinset')),
      name: await row.getAttribute('data-name'),
    })),
  );
  return named.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

const SEARCHED: Answers = { search: () => found('off', NAMES) };

describe('the hosts to fetch from', () => {
  it('are all removed that the user removes, faster than each is saved', async () => {
    let saved = settings.parse({ fetchHosts: ['a.example', 'b.example', 'c.example'] });
    const mayAnswer = pending<void>();
    const stage = await show('IssueUrlSettings', {
      'settings.get': () => saved,
      'settings.set': async (change) => {
        await mayAnswer.promise;
        saved = { ...saved, ...change };
        return saved;
      },
    });
    for (const host of ['a.example', 'b.example'])
      await stage.page.getByRole('button', { name: `Remove ${host}` }).click();
    mayAnswer.resolve();
    await stage.page.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
    assert.deepEqual(saved.fetchHosts, ['c.example']);
  });
});

describe('an imported list', () => {
  it('shows the whole new path of a function that moved, also when zoomed', async () => {
    const folder = 'services/accounting/invoices/international';
    const was = chunk(`legacy/${folder}/calculate_total.py::total`, { startLine: 120 });
    const now = { ...chunk(`shop/${folder}/totals/total.py::total`), contentHash: '0'.repeat(40) };
    const stage = await show('ImportDialog', {
      'list.import': () => ({
        issue: { title: ISSUE, text: ISSUE },
        repository: { name: 'shop', commit: null },
        check: null,
        counts: { same: 0, moved: 2, changed: 0, 'moved and changed': 0, gone: 0 },
        entries: [1, 2].map((rank) => ({
          rank,
          score: 1,
          was,
          mark: null,
          note: '',
          check: null,
          state: 'moved' as const,
          now,
          detail: null,
          code: null,
        })),
      }),
    });
    const { page } = stage;
    const list = { name: 'list.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
    await page.locator('input[type=file]').setInputFiles(list);
    const rows = page.getByRole('listbox', { name: 'Results of the list' }).getByRole('option');
    for (const zoom of ['1', '1.5']) {
      await page.evaluate((to) => document.documentElement.style.setProperty('--zoom', to), zoom);
      await rows.first().getByText(now.path).waitFor();
      // Cut off, the path would be wider than its row; not measured, the rows would overlap.
      await page.waitForFunction((path) => {
        const rows = [...document.querySelectorAll('[role=option]')];
        return rows.every((row, at) => {
          const { right, bottom } = row.getBoundingClientRect();
          const text = [...row.querySelectorAll('span')].findLast((one) =>
            one.textContent?.startsWith(path),
          );
          const box = text?.getBoundingClientRect();
          const next = rows[at + 1]?.getBoundingClientRect().top ?? bottom;
          return box && box.right <= right && box.bottom <= bottom && next > bottom - 1;
        });
      }, now.path);
    }
  });
});

describe('notes', () => {
  it('are shown with the repository that they are about, and cleared with it', async () => {
    const stage = await show('Notes', {
      'repository.open': ({ root }) => ({ ...REPOSITORY, root, id: root.slice('/src/'.length) }),
    });
    const { page } = stage;
    for (const repository of ['shop', 'bank', null]) {
      const at = '2026-01-01T00:00:00.000Z';
      const text = `About ${repository ?? 'Locus'}.`;
      await stage.emit('note', { repository, level: 'warning', text, remedy: null, at });
    }
    const notes = page.getByRole('button', { name: /^\d+ notes?$/ });
    const read = async () => {
      await notes.click();
      const texts = await page
        .getByRole('dialog', { name: 'Notes' })
        .locator('p')
        .allTextContents();
      return texts.toSorted();
    };
    assert.deepEqual(await read(), ['About Locus.', 'About shop.']);
    await page.keyboard.press('Escape');
    await stage.drive('openRepository', '/src/bank');
    assert.deepEqual(await read(), ['About Locus.', 'About bank.']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await notes.waitFor({ state: 'detached' });
    await stage.drive('openRepository', '/src/shop');
    assert.deepEqual(await read(), ['About shop.']);
  });
});

describe('the pane of results', () => {
  it('invites, shows that it searches, the initial ranking, and then the reranked list', async () => {
    const answer = pending<SearchResponse>();
    const stage = await show('ResultsPane', { search: () => answer.promise });
    await stage.page.getByText('No issue yet').waitFor();
    await searchFor(stage);
    await stage.page.getByRole('status', { name: 'Searching' }).waitFor();
    const [request] = stage.asked('search');
    assert.equal(request?.request.issue, ISSUE);
    await stage.emit('ranking', { run: request?.run ?? '', response: found('reranking', NAMES) });
    assert.deepEqual(await namesIn(stage), NAMES);
    answer.resolve(found('reranked', NAMES.toReversed()));
    await stage.page.locator('[data-name=checkout][aria-posinset="1"]').waitFor();
    assert.equal(await stage.drive('readSelection'), 'shop/cart.py::checkout');
  });

  it('has the reranked list wait while the pointer is on it, until it is asked for', async () => {
    const answer = pending<SearchResponse>();
    const stage = await show('ResultsPane', { search: () => answer.promise });
    await searchFor(stage);
    await stage.page.getByRole('status', { name: 'Searching' }).hover();
    const [request] = stage.asked('search');
    await stage.emit('ranking', { run: request?.run ?? '', response: found('reranking', NAMES) });
    answer.resolve(found('reranked', NAMES.toReversed()));
    const ready = stage.page.getByRole('button', { name: 'Apply new order' });
    await ready.waitFor();
    assert.deepEqual(await namesIn(stage), NAMES);
    await stage.page.getByRole('listbox').focus();
    await stage.page.keyboard.press('s');
    await stage.page.locator('[data-name=checkout][aria-posinset="1"]').waitFor();
  });

  it('copies locations, and says what it copied', async () => {
    const stage = await show('ResultsPane', SEARCHED);
    await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await searchFor(stage);
    await namesIn(stage);
    await stage.page.getByRole('listbox').focus();
    await stage.page.keyboard.press('ControlOrMeta+c');
    const said = stage.page.getByRole('status').filter({ hasText: 'Copied' });
    await said.getByText('Copied shop/cart.py:1').waitFor();
    await stage.page.keyboard.press('ControlOrMeta+a');
    await stage.page.keyboard.press('ControlOrMeta+c');
    await said.getByText('Copied 3 locations').waitFor();
    const copied = await stage.page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(copied.split('\n'), ['shop/cart.py:1', 'shop/tax.py:1', 'shop/cart.py:1']);
  });

  it('tells a failure, and searches again on request', async () => {
    let failed = false;
    const stage = await show('ResultsPane', {
      search: () => {
        if (failed) return found('off', NAMES);
        failed = true;
        throw FAILURE;
      },
    });
    await searchFor(stage);
    await stage.page.getByText(/index is damaged/i).waitFor();
    await stage.page.getByRole('button', { name: 'Search again' }).click();
    assert.deepEqual(await namesIn(stage), NAMES);
  });

  it('forgets the list when the text is a link', async () => {
    const stage = await show('ResultsPane', { ...SEARCHED, 'issueLink.offer': () => null });
    await searchFor(stage);
    await namesIn(stage);
    await stage.drive('editIssue', 'https://github.com/acme/shop/issues/7');
    await stage.page.getByText('This is the URL of an issue').waitFor();
    assert.equal(await stage.drive('hasList'), false);
  });
});

describe('the list', () => {
  it('moves its selection by keys, extends it, and takes it back', async () => {
    const stage = await show('ResultsPane', SEARCHED);
    await searchFor(stage);
    await namesIn(stage);
    const list = stage.page.getByRole('listbox');
    await list.focus();
    await list.press('ArrowDown');
    assert.equal(await stage.drive('readSelection'), 'shop/tax.py::add_tax');
    await list.press('Shift+ArrowDown');
    assert.equal(await list.locator('[aria-selected=true]').count(), 2);
    await list.press('Escape');
    assert.equal(await list.locator('[aria-selected=true]').count(), 1);
    await list.press('End');
    await list.press('Home');
    assert.equal(await stage.drive('readSelection'), 'shop/cart.py::total');
  });

  it('shows a mark at once, and takes back what the engine refused', async () => {
    const answer = pending<never>();
    const stage = await show('ResultsPane', { ...SEARCHED, 'marks.set': () => answer.promise });
    await searchFor(stage);
    await namesIn(stage);
    await stage.page.getByRole('listbox').focus();
    await stage.page.keyboard.press('e');
    const marked = stage.page.locator('[data-name=total][data-mark=edit]');
    await marked.waitFor();
    answer.reject(FAILURE);
    await marked.waitFor({ state: 'detached' });
  });

  it('writes a note that Enter keeps and Escape does not', async () => {
    const noted = [...marks({ 'shop/cart.py::total': { mark: null, note: 'the tax' } }).values()];
    const stage = await show('ResultsPane', {
      ...SEARCHED,
      'marks.set': ({ issue }) => ({ issue, missing: [] }),
      'marks.list': () => noted,
    });
    await searchFor(stage);
    await namesIn(stage);
    await stage.page.getByRole('listbox').focus();
    for (const [key, count] of [
      ['Escape', 0],
      ['Enter', 1],
    ] as const) {
      await stage.page.keyboard.press('n');
      await stage.page.getByRole('textbox', { name: 'Note on total' }).fill('see the tax');
      await stage.page.keyboard.press(key);
      await stage.page
        .getByRole('textbox', { name: 'Note on total' })
        .waitFor({ state: 'detached' });
      assert.equal(stage.asked('marks.set').length, count, key);
    }
    assert.equal(stage.asked('marks.set')[0]?.marks[0]?.note, 'see the tax');
  });
});

describe('the tree of results', () => {
  it('opens and closes folders by keys', async () => {
    const stage = await show('ResultsPane', SEARCHED);
    await searchFor(stage);
    await stage.page.getByRole('button', { name: 'Folder tree' }).click();
    const item = stage.page.getByRole('treeitem', { name: /total/ });
    await item.waitFor();
    const view = stage.page.getByRole('tree');
    await view.focus();
    await view.press('ArrowLeft');
    await view.press('ArrowLeft');
    await item.waitFor({ state: 'detached' });
    await view.press('ArrowRight');
    await item.waitFor();
  });
});

describe('the bar of filters', () => {
  it('sends paths and kinds to the engine, shows them, and clears them', async () => {
    const stage = await show('FilterBar', SEARCHED);
    await searchFor(stage);
    await stage.page.getByRole('button', { name: /^Edit filters/ }).click();
    await stage.page.getByRole('textbox', { name: 'Paths' }).fill('src/** *.py');
    await stage.page.getByRole('checkbox', { name: 'class' }).check();
    await stage.page.getByRole('button', { name: 'Done' }).click();
    await stage.page.getByText('src/** *.py').waitFor();
    await assertSoon(() => {
      const { paths, kinds } = stage.asked('search').at(-1)?.request ?? {};
      return JSON.stringify([paths, kinds]) === '[["src/**","*.py"],["class"]]';
    });
    await stage.page.getByRole('button', { name: 'Remove filter by kinds' }).click();
    assert.deepEqual((await stage.drive('readFilters')).kinds, []);
    await stage.page.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.equal((await stage.drive('readFilters')).paths, '');
  });

  it('filters by text without asking the engine', async () => {
    const stage = await show('ResultsPane', SEARCHED);
    await searchFor(stage);
    await namesIn(stage);
    const before = stage.asked('search').length;
    await stage.page.getByRole('textbox', { name: /^Filter by name or path/ }).fill('tax');
    await stage.page.getByText('1 of 3 results').waitFor();
    assert.deepEqual(await namesIn(stage), ['add_tax']);
    assert.equal(stage.asked('search').length, before);
  });
});

describe('the preview', () => {
  const TEXT =
    'def total(cart):\n    return sum(cart)\n\n\ndef checkout(cart):\n    pay(total(cart))\n';
  const outlined = (address: string, startLine: number) => ({
    ...chunk(address, { startLine, endLine: startLine + 1 }),
    headerLine: startLine,
  });
  const FILE: FileDetail = {
    path: 'shop/cart.py',
    text: TEXT,
    language: 'python',
    role: 'source',
    chunks: [outlined('shop/cart.py::total', 1), outlined('shop/cart.py::checkout', 5)],
  };
  const SHOWN: Answers = { ...SEARCHED, file: () => FILE };

  it('shows the file of the selected function, and steps to the next candidate in it', async () => {
    const stage = await show('PreviewPanel', SHOWN);
    await stage.page.getByText('Select a result to see its code').waitFor();
    await searchFor(stage);
    await stage.page.getByText('lines 1–2').waitFor();
    await stage.page.getByText('return sum(cart)').waitFor();
    assert.deepEqual(
      stage.asked('file').map(({ request }) => request.path),
      ['shop/cart.py'],
    );
    await stage.page.getByRole('button', { name: 'Next result in this file' }).click();
    await stage.page.getByText('lines 5–6').waitFor();
    assert.equal(await stage.drive('readSelection'), 'shop/cart.py::checkout');
    // A file that was read is kept.
    assert.equal(stage.asked('file').length, 1);
  });

  it('reads the file again when it has changed, and says when the function is gone', async () => {
    let now = FILE;
    const stage = await show('PreviewPanel', { ...SHOWN, file: () => now });
    await searchFor(stage);
    await stage.page.getByText('lines 1–2').waitFor();
    now = { ...FILE, text: '# Moved.\n', chunks: [] };
    await stage.emit('updated', {
      repository: REPOSITORY.id,
      update: { changed: [FILE.path], removed: [], chunksEncoded: 0, searchableMs: 1, totalMs: 1 },
    });
    await stage.page.getByText('no longer in this file').waitFor();
    await stage.page.getByText('# Moved.').waitFor();
  });

  it('says if some bytes of the file could not be decoded', async () => {
    const text = TEXT.replace('cart)', 'cart)  # caf\ufffd');
    const stage = await show('PreviewPanel', { ...SHOWN, file: () => ({ ...FILE, text }) });
    await searchFor(stage);
    await stage.page
      .getByText('Some bytes could not be decoded. They are shown as \ufffd.')
      .waitFor();
  });

  it('follows a file that moved, and says from where', async () => {
    const hash = '1'.repeat(40);
    const there = 'shop/orders/cart.py';
    let isMoved = false;
    const stage = await show('PreviewPanel', {
      ...SHOWN,
      file: ({ request: { path } }) => {
        if (isMoved && path === FILE.path)
          throw { ...FAILURE, code: 'not-found', message: 'The file is not in the index.' };
        const chunks = FILE.chunks.map((one) => ({
          ...one,
          ...chunk(`${path}::${one.name}`, one),
          path,
          address: `${path}::${one.name}`,
        }));
        return { ...FILE, path, chunks };
      },
      resolveAnchors: ({ request: { anchors } }) =>
        anchors.map(({ path, qualifiedName, contentHash }) => {
          const at = (where: string) => ({
            ...chunk(`${where}::${qualifiedName}`),
            contentHash: hash,
          });
          // A copy that was there before is not taken for the new location.
          const copies = [at('old/cart.py'), ...(isMoved ? [at(there)] : [])];
          return {
            sameAddress: isMoved && path === FILE.path ? null : at(path),
            sameContent: contentHash === hash ? copies : [],
            sameName: copies,
          };
        }),
    });
    await searchFor(stage);
    await stage.page.getByText('lines 1–2').waitFor();
    await assertSoon(() => stage.asked('resolveAnchors').length === 2);
    isMoved = true;
    const update = { changed: [there], removed: [FILE.path], chunksEncoded: 0 };
    await stage.emit('updated', {
      repository: REPOSITORY.id,
      update: { ...update, searchableMs: 1, totalMs: 1 },
    });
    await stage.page.getByText('Moved here from shop/cart.py').waitFor();
    await stage.page.getByText('lines 1–2').waitFor();
    assert.equal(await stage.drive('readSelection'), `${there}::total`);
    // Another function of the file is followed too, although it was never shown.
    await stage.drive('select', `${FILE.path}::checkout`);
    await stage.page.getByText('lines 5–6').waitFor();
    assert.equal(await stage.drive('readSelection'), `${there}::checkout`);
    await stage.drive('select', `${there}::total`);
    await stage.page.getByText('Moved here').waitFor({ state: 'detached' });
  });

  it('tells why a file cannot be read', async () => {
    const stage = await show('PreviewPanel', {
      ...SHOWN,
      file: () => {
        throw FAILURE;
      },
    });
    await searchFor(stage);
    await stage.page.getByRole('heading', { name: FAILURE.message }).waitFor();
    await stage.page.getByText('Open the folder again.').waitFor();
  });

  it('opens the line in the editor, and leads to the settings where none was found', async () => {
    let isFound = true;
    const stage = await show('PreviewPanel', {
      ...SHOWN,
      'editor.open': () => {
        if (isFound) return 'Code';
        throw { ...FAILURE, message: 'No editor was found.', remedy: CHOOSE_EDITOR };
      },
    });
    await searchFor(stage);
    await stage.drive('select', 'shop/cart.py::checkout');
    await stage.page.getByText('lines 5–6').waitFor();
    await stage.page.getByText('pay(total(cart))').waitFor();
    const open = stage.page.getByRole('button', { name: 'Open in editor' });
    await open.click();
    await stage.page.getByText('Opened in Code at line 5.').waitFor();
    const [asked] = stage.asked('editor.open');
    assert.deepEqual([asked?.path, asked?.line], ['shop/cart.py', 5]);
    await stage.page.getByRole('button', { name: 'Dismiss' }).click();
    isFound = false;
    await open.click();
    await stage.page.getByText('No editor was found.').waitFor();
    await stage.page.getByRole('button', { name: 'Choose an editor in Settings' }).waitFor();
    const link = stage.page.getByRole('link', { name: 'Open in Visual Studio Code' });
    assert.equal(await link.getAttribute('href'), 'vscode://file/src/shop/shop/cart.py:5');
  });
});

describe('the status bar', () => {
  it('does not say that all is up to date beside a partial ranking', async () => {
    const partial = { embedded: 0, chunks: 753, reason: 'functions are still being embedded' };
    const response = { ...found('off', NAMES), partial } as SearchResponse;
    const { page, ...stage } = await show('StatusBar', { search: () => response });
    await page.getByText('Up to date', { exact: true }).waitFor();
    await stage.drive('loadIssue', ISSUE);
    await page.getByText('Partial ranking: 0 of 753 functions embedded').waitFor();
    await page.getByText('Files up to date', { exact: true }).waitFor();
  });
});

describe('the line above the list', () => {
  it('has its facts below the confidence where they would be a sliver beside it', async () => {
    const stage = await show('ResultsPane', {
      search: () => ({ ...found('off', NAMES), confidence: 0.5 }),
    });
    await stage.page.setViewportSize({ width: 800, height: 900 });
    await searchFor(stage);
    const line = stage.page.getByRole('region', { name: 'About this list' });
    await line.evaluate((element) => element.style.setProperty('width', '320px'));
    const facts = await line.locator('p').boundingBox();
    const confidence = await line.getByRole('button', { name: /first five/ }).boundingBox();
    assert.ok(facts && confidence);
    assert.ok(facts.y >= confidence.y + confidence.height);
    assert.ok(facts.width > 250, `${facts.width} pixels wide`);
  });

  it('has room for the confidence before the list is final, so that the rows stay where they are', async () => {
    const partial = { embedded: 0, chunks: 3, reason: 'indexing is in progress' };
    let response = { ...found('off', NAMES), partial } as SearchResponse;
    const stage = await show('ResultsPane', { search: () => response });
    await searchFor(stage);
    await namesIn(stage);
    const line = stage.page.getByRole('region', { name: 'About this list' });
    await line.evaluate((element) => element.style.setProperty('width', '320px'));
    const first = stage.page.getByRole('option').first();
    const before = await first.boundingBox();
    response = { ...found('off', NAMES), confidence: 0.5 };
    await stage.drive('editIssue', `${ISSUE} again`);
    await stage.page.getByRole('button', { name: '50%: one of the first five' }).waitFor();
    assert.deepEqual(await first.boundingBox(), before);
  });
});

describe('the menu of a result', () => {
  it('opens the function in the editor at its first line, and tells a failure in the preview', async () => {
    let isFound = true;
    const stage = await show('ResultsPane', {
      ...SEARCHED,
      'editor.open': () => {
        if (isFound) return 'Code';
        throw FAILURE;
      },
    });
    await searchFor(stage);
    await namesIn(stage);
    const { page } = stage;
    const choose = async (name: string) => {
      await page.locator('[data-name=add_tax]').click({ button: 'right' });
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Open in editor');
    for (let at = 0; at < 100 && stage.asked('editor.open').length === 0; at += 1)
      await page.waitForTimeout(20);
    const [asked] = stage.asked('editor.open');
    const row = ranking('shop/tax.py::add_tax')[0];
    assert.deepEqual([asked?.path, asked?.line], [row?.path, row?.startLine]);
    assert.equal(await stage.drive('readPanel'), 'preview');
    await choose('Show callers and callees');
    assert.equal(await stage.drive('readPanel'), 'neighbors');
    isFound = false;
    await choose('Open in editor');
    await page.waitForFunction(() => window.driver.readPanel() === 'preview');
  });
});

describe('the issue pane', () => {
  const span = (text: string) => ({
    start: ISSUE.indexOf(text),
    end: ISSUE.indexOf(text) + text.length,
    text,
  });
  const RECOGNIZED = found('off', NAMES);
  RECOGNIZED.issue.names = [
    { ...span('total'), definitions: 1 },
    { ...span('tax'), definitions: 2 },
  ];
  RECOGNIZED.issue.notes = ['No file is named.'];
  const editorOf = ({ page }: Stage) => page.getByRole('textbox', { name: 'Issue' });

  /** Drops a file onto the editor. */
  const drop = (stage: Stage, name: string, text: string) =>
    editorOf(stage).evaluate(
      (target, { name, text }) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        const event = { dataTransfer, bubbles: true, cancelable: true };
        target.dispatchEvent(new DragEvent('drop', event));
      },
      { name, text },
    );

  it('searches for what is typed, and makes room for a new issue', async () => {
    const stage = await show('IssuePane', SEARCHED);
    await editorOf(stage).focus();
    await stage.page.keyboard.insertText(ISSUE);
    await assertSoon(() => stage.asked('search').at(-1)?.request.issue === ISSUE);
    assert.equal(await stage.drive('readIssue'), ISSUE);
    await assertSoon(() => stage.asked('issues.save').at(-1)?.text === ISSUE);
    await stage.page.getByRole('button', { name: 'New issue' }).click();
    await stage.page.locator('.editorPlaceholder').waitFor();
    assert.equal(await stage.drive('readIssue'), '');
  });

  it('starts another issue, which has other marks, however the text is replaced', async () => {
    const stage = await show('IssuePane', SEARCHED);
    const { keyboard } = stage.page;
    await editorOf(stage).focus();
    const saveOf = (text: string) =>
      stage.asked('issues.save').findLast((one) => one.text === text);
    const ids: (string | undefined)[] = [];
    const write = async (text: string) => {
      await keyboard.insertText(text);
      await assertSoon(() => saveOf(text) !== undefined);
      ids.push(saveOf(text)?.issue);
    };
    await write('Tax is lost');
    await keyboard.press('ControlOrMeta+a');
    await write('Login fails');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.press('Delete');
    await write(ISSUE);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('x');
    await keyboard.insertText('ml is not read');
    await assertSoon(() => saveOf('xml is not read') !== undefined);
    ids.push(saveOf('xml is not read')?.issue);
    assert.equal(new Set(ids).size, 4);
    // An edit of the text belongs to the same issue.
    await keyboard.insertText(' twice');
    await assertSoon(() => saveOf('xml is not read twice')?.issue === ids[3]);
  });

  it('shows a loaded issue with its recognized names', async () => {
    const stage = await show('IssuePane', { search: () => RECOGNIZED });
    await searchFor(stage);
    await stage.page.getByText(ISSUE.slice(0, 12)).waitFor();
    await stage.page.getByRole('button', { name: '2 names' }).waitFor();
    await stage.page.getByText('No file is named.').waitFor();
    const underlined = stage.page.locator('[class*=mentionedName]');
    await underlined.first().waitFor();
    assert.deepEqual(await underlined.allTextContents(), ['total', 'tax']);
  });

  it('removes underlines from text that has changed', async () => {
    const stage = await show('IssuePane', { search: () => RECOGNIZED });
    await searchFor(stage);
    await stage.page.locator('[class*=mentionedName]').first().waitFor();
    await searchFor(stage, 'Another one');
    await stage.page.locator('[class*=mentionedName]').first().waitFor({ state: 'detached' });
  });

  it('opens a dropped text file, and shows a problem with other files', async () => {
    const stage = await show('IssuePane', SEARCHED);
    await editorOf(stage).waitFor();
    await drop(stage, 'cart.exe', ISSUE);
    await stage.page.getByText('“cart.exe” is not a text').waitFor();
    assert.equal(await stage.drive('readIssue'), '');
    await stage.page.getByRole('button', { name: 'Dismiss' }).click();
    await stage.page.getByText('“cart.exe” is not a text').waitFor({ state: 'detached' });
    await drop(stage, 'cart.md', ISSUE);
    await assertSoon(() => stage.asked('search').at(-1)?.request.issue === ISSUE);
    assert.equal(await stage.drive('readIssue'), ISSUE);
  });
});

describe('the bar for an issue URL', () => {
  const LINK = 'https://github.com/acme/shop/issues/7';
  const OFFER = {
    what: 'issue #7 of acme/shop',
    host: 'github.com',
    apiHost: 'api.github.com',
    token: null,
    agreed: false,
    refusal: null,
  };
  const FETCHED = {
    text: ISSUE,
    source: { url: LINK } as never,
    host: 'github.com',
    apiHost: 'api.github.com',
    token: null,
    comments: 0,
    notes: [],
  };

  it('asks before it fetches, and replaces the URL with the issue', async () => {
    const answers = {
      ...SEARCHED,
      'issueLink.offer': () => OFFER,
      'issueLink.fetch': () => FETCHED as never,
    };
    const stage = await show('IssueUrlBar', answers);
    await searchFor(stage, LINK);
    await stage.page.getByRole('button', { name: 'Fetch once' }).waitFor();
    assert.deepEqual(stage.asked('issueLink.fetch'), []);
    await stage.page.getByRole('button', { name: 'Fetch once' }).click();
    await stage.page.getByText(/^Fetched: title and body/).waitFor();
    await assertSoon(() => stage.asked('search').at(-1)?.request.issue === ISSUE);
  });

  it('can be declined, and cancelled while it fetches', async () => {
    const answer = pending<never>();
    const stage = await show('IssueUrlBar', {
      'issueLink.offer': () => OFFER,
      'issueLink.fetch': () => answer.promise,
    });
    await searchFor(stage, LINK);
    await stage.page.getByRole('button', { name: 'Don’t fetch', exact: true }).click();
    await stage.page.getByText('nothing was fetched').waitFor();
    await stage.page.getByRole('button', { name: 'Fetch…' }).click();
    await stage.page.getByRole('button', { name: 'Fetch once' }).click();
    await stage.page.getByRole('button', { name: 'Cancel' }).click();
    await stage.page.getByRole('button', { name: 'Fetch once' }).waitFor();
  });

  it('drops the offer for a URL that was replaced in the meantime', async () => {
    const late = pending<typeof OFFER>();
    const stage = await show('IssueUrlBar', {
      ...SEARCHED,
      'issueLink.offer': ({ text }) =>
        text === LINK ? late.promise : { ...OFFER, what: 'issue #8' },
    });
    await searchFor(stage, LINK);
    await assertSoon(() => stage.asked('issueLink.offer').length === 1);
    await searchFor(stage, LINK.replace('7', '8'));
    await stage.page.getByText('issue #8').waitFor();
    late.resolve(OFFER);
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await stage.page.getByText('issue #7').count(), 0);
  });
});

describe('earlier issues', () => {
  const issue = (id: string, title: string): IssueSummary => ({
    id,
    title,
    renamed: false,
    pinned: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    deletedAt: null,
    marks: 0,
    source: null,
  });

  it('shows the response to the latest query, and undoes a deletion', async () => {
    const slow = pending<IssueSummary[]>();
    const all = [issue('a', 'Wrong total'), issue('b', 'No tax')];
    let deleted = false;
    const stage = await show('HistoryDialog', {
      'issues.list': ({ query }) => {
        if (query === 't') return slow.promise;
        return all.filter(
          ({ id, title }) => title.includes(query ?? '') && !(deleted && id === 'b'),
        );
      },
      'issues.delete': () => {
        deleted = true;
        return null as never;
      },
      'issues.restore': () => {
        deleted = false;
        return null as never;
      },
    });
    const items = stage.page.getByRole('listitem');
    await stage.page.getByText('Wrong total').waitFor();
    assert.equal(await items.count(), 2);
    await stage.page.getByRole('searchbox').pressSequentially('to');
    await stage.page.getByText('No tax').waitFor({ state: 'detached' });
    slow.resolve(all);
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await items.count(), 1);
    await stage.page.getByRole('searchbox').fill('');
    await stage.page.getByRole('button', { name: 'Delete No tax' }).click();
    await stage.page.getByText('Deleted “No tax”').waitFor();
    await stage.page.getByRole('button', { name: 'Undo' }).click();
    await assertSoon(() => stage.asked('issues.restore').length === 1);
  });
});

describe('the neighbors', () => {
  it('are a graph or a tree, whose rows expand and select', async () => {
    const around = neighborhood(
      { 'shop/cart.py::total': 0, 'shop/cart.py::checkout': -1, 'shop/tax.py::add_tax': 1 },
      [
        call('shop/cart.py::checkout', 'shop/cart.py::total'),
        call('shop/cart.py::total', 'shop/tax.py::add_tax'),
      ],
    );
    const stage = await show('NeighborsPanel', { ...SEARCHED, neighbors: () => around });
    await searchFor(stage);
    await stage.page.locator('.react-flow__node').first().waitFor();
    await stage.page.getByRole('button', { name: 'List' }).click();
    const tree = stage.page.getByRole('tree', { name: 'Callers and callees' });
    await tree.getByRole('treeitem', { name: /checkout/ }).click();
    assert.equal(await stage.drive('readSelection'), 'shop/cart.py::checkout');
    await tree.focus();
    await tree.press('Home');
    await tree.press('ArrowLeft');
    await tree.getByRole('treeitem', { name: /checkout/ }).waitFor({ state: 'detached' });
    assert.equal(await tree.getByRole('treeitem', { name: /add_tax/ }).count(), 1);
    assert.equal(stage.asked('neighbors').at(-1)?.request.chunk, 'shop/cart.py::total');
  });
});

describe('the graph of three steps', () => {
  it('has readable texts, as many functions as fit, and counts that expand', async () => {
    const names = (prefix: string) =>
      Array.from({ length: 30 }, (_, at) => `shop/tax.py::${prefix}_${at}`);
    const [one, two, three] = [names('one'), names('two'), names('three')] as const;
    const center = 'shop/cart.py::total';
    const around = neighborhood(
      Object.fromEntries([
        [center, 0],
        ...one.map((name) => [name, 1]),
        ...two.map((name) => [name, 2]),
        ...three.map((name) => [name, 3]),
      ]),
      [
        ...one.map((name) => call(center, name)),
        ...two.map((name, at) => call(one[at % 3] ?? '', name)),
        ...three.map((name, at) => call(two[at % 5] ?? '', name)),
      ],
    );
    const stage = await show('NeighborsPanel', { ...SEARCHED, neighbors: () => around });
    const { page } = stage;
    await searchFor(stage);
    await page.getByRole('button', { name: '3 steps' }).click();
    await assertSoon(() => stage.asked('neighbors').at(-1)?.request.depth === 3);
    const counts = page.getByRole('button', { name: /^\+\d+ more callees$/ });
    await counts.nth(2).waitFor();
    const sizes = await page.locator('.react-flow__node span').evaluateAll((spans) =>
      spans.map((span) => {
        const { width } = span.getBoundingClientRect();
        const scale = width / ((span as HTMLElement).offsetWidth || width || 1);
        return Number.parseFloat(getComputedStyle(span).fontSize) * Math.min(1, scale);
      }),
    );
    assert.ok(Math.min(...sizes) > 10.5, `${Math.min(...sizes)}`);
    const nodes = page.locator('.react-flow__node');
    const before = await nodes.count();
    assert.ok(before >= 20, `${before} functions are drawn`);
    // By keyboard: to the end of the first column of callees.
    const graph = page.getByRole('application', { name: 'Call graph' });
    await graph.focus();
    await graph.press('ArrowRight');
    for (let at = 0; at < 30; at++) await graph.press('ArrowDown');
    await graph.press('Enter');
    await page.getByRole('button', { name: /^one_29 / }).waitFor();
  });
});

describe('the export', () => {
  it('previews the current choice, and never saves the text of an earlier one', async () => {
    const slow = pending<void>();
    const stage = await show('ExportDialog', {
      ...SEARCHED,
      'list.export': async ({ format }) => {
        if (format === 'json') await slow.promise;
        const text = `as ${format}`;
        return {
          text,
          fileName: 'list',
          mediaType: 'text/plain',
          count: 3,
          missing: [],
          noPermalinkReason: null,
          prompt: null,
        };
      },
    });
    await searchFor(stage);
    await stage.page.getByText('as markdown').waitFor();
    const download = stage.page.getByRole('button', { name: 'Download' });
    assert.equal(await download.isDisabled(), false);
    await stage.page.getByText('JSON', { exact: true }).click();
    await assertSoon(() => stage.asked('list.export').at(-1)?.format === 'json');
    assert.equal(await download.isDisabled(), true);
    slow.resolve();
    await stage.page.getByText('as json').waitFor();
    assert.equal(await download.isDisabled(), false);
  });
});

describe('the palette', () => {
  it('offers the best results, finds names, and selects what is chosen', async () => {
    const stage = await show('Palette', {
      ...SEARCHED,
      find: ({ request }) =>
        request.query === 'nothing'
          ? []
          : [chunk('shop/till.py::Till.close', { startLine: 3, endLine: 9 })],
    });
    await searchFor(stage);
    await stage.page.getByText('Best results for this issue').waitFor();
    const input = stage.page.getByRole('combobox');
    await input.fill('nothing');
    await stage.page.getByText('No matching functions or files').waitFor();
    await input.fill('till clse');
    const option = stage.page.getByRole('option', { name: /Till/ });
    await option.getByText('.py:3').waitFor();
    assert.deepEqual(await option.locator('b').allInnerTexts(), ['Till', 'cl', 'se']);
    await input.fill('till.py:7');
    await option.getByText(':7').waitFor();
    assert.deepEqual(await option.locator('b').allInnerTexts(), ['till.py']);
    await option.click();
    await assertSoon(() => stage.asked('find').at(-1)?.request.query === 'till.py:7');
  });

  it('lists the most used commands first, rare ones last, and no empty groups', async () => {
    const stage = await show('Palette');
    await stage.page.getByRole('combobox').fill('>');
    const options = stage.page.getByRole('option');
    await options.filter({ hasText: 'Open folder…' }).waitFor();
    const titles = (await options.allInnerTexts()).map((text) => text.split('\n')[0]);
    assert.deepEqual(titles.slice(0, 3), ['Search', 'Open folder…', 'Go to code…']);
    assert.deepEqual(titles.slice(-3), [
      'Search all repositories…',
      'Set up shared index…',
      'Set up a second opinion…',
    ]);
    assert.equal(new Set(titles).size, titles.length);
    const empty = stage.page.locator('[cmdk-group]:not(:has([role=option]))');
    assert.equal(await empty.count(), 0);
  });

  it('selects the best match, whatever is used most', async () => {
    const stage = await show('Palette');
    const input = stage.page.getByRole('combobox');
    await input.fill('>');
    await stage.page.getByRole('option', { name: 'Open folder…' }).waitFor();
    await input.pressSequentially('Open workspace');

    const selected = stage.page.getByRole('option', { selected: true });
    assert.match(await selected.innerText(), /^Open workspace/);
    await input.fill('>');
    await stage.page.getByRole('group', { name: 'Most used' }).waitFor();
  });
});

describe('the folder dialog', () => {
  const listing = (path: string, ...names: string[]) => ({
    path,
    parent: '/',
    folders: names.map((name) => ({ name, path: `${path}/${name}`, repository: true })),
    hidden: 0,
  });

  it('keeps typed text when a late listing arrives, and shows why a folder cannot be opened', async () => {
    const slow = pending<ReturnType<typeof listing>>();
    const stage = await show('FolderPicker', {
      'folders.list': ({ path }) => {
        if (path === '/src/shop') return { ...listing(path), parent: '/src' };
        if (path === '/src') return listing(path, 'shop', 'slow');
        if (path === '/src/slow') return slow.promise;
        throw FAILURE;
      },
    });
    const path = stage.page.getByRole('textbox', { name: 'Folder' });
    await stage.page.getByRole('option', { name: 'slow' }).dblclick();
    await path.fill('/src/none');
    slow.resolve(listing('/src/slow'));
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await path.inputValue(), '/src/none');
    await stage.page.getByRole('button', { name: /^Open this folder/ }).click();
    await stage.page
      .getByRole('alert')
      .filter({ hasText: /index is damaged/i })
      .waitFor();
  });

  it('starts next to the open repository, and is used by keyboard, always at the same height', async () => {
    const folders: Record<string, ReturnType<typeof listing>> = {
      '/src': listing('/src', 'alpha', 'beta', 'bravo', 'shop'),
      '/src/shop': { ...listing('/src/shop'), parent: '/src' },
      '/src/bravo': { ...listing('/src/bravo', 'web'), parent: '/src' },
      '/src/bravo/web': { ...listing('/src/bravo/web'), parent: '/src/bravo' },
    };
    const stage = await show('FolderPicker', {
      'folders.list': ({ path }) => folders[path ?? ''] ?? listing('/home'),
    });
    const { keyboard } = stage.page;
    const path = stage.page.getByRole('textbox', { name: 'Folder' });
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key);
    };
    const selected = (name: string) =>
      stage.page.getByRole('option', { name, selected: true }).waitFor();
    await selected('shop');
    assert.equal(await path.inputValue(), '/src/shop');
    const height = async () => (await stage.page.getByRole('dialog').boundingBox())?.height;
    const before = await height();

    await press('Home');
    await selected('alpha');
    await press('b');
    await selected('beta');
    await press('r');
    await selected('bravo');
    await press('End', 'ArrowUp');
    await selected('bravo');
    await press('Enter');
    await stage.page.getByRole('option', { name: 'web' }).waitFor();
    assert.equal(await height(), before);
    await press('Backspace');
    await selected('bravo');
    await press('Enter');
    await stage.page.getByRole('option', { name: 'web' }).waitFor();
    await press('ArrowDown');
    await selected('web');
    await press('ControlOrMeta+Enter');
    await assertSoon(() => stage.asked('repository.open').at(-1)?.root === '/src/bravo/web');
  });
});

/** Waits until it is true; fails after half a minute. */
async function assertSoon(isTrue: () => boolean): Promise<void> {
  const until = Date.now() + 30_000;
  while (!isTrue()) {
    assert.ok(Date.now() < until, `not yet: ${isTrue}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
