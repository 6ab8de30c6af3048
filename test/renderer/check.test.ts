import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CheckOutcome, CheckPlan } from '../../src/shared/check.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { settings } from '../../src/shared/settings.ts';
import { ranking } from './support.ts';
import { type Answers, prepareStage, type Stage } from './window/stage.ts';

const show = prepareStage();

const ISSUE = 'The total of the cart forgets the tax';
const OTHER = 'The checkout does not add the tax';
/** Longer than the rest before a check that runs by itself. */
const RESTED_MS = 2_500;

function found(partial: SearchResponse['partial'] = null): SearchResponse {
  return {
    issue: { title: ISSUE, names: [], paths: [], unindexed: [], frames: [], notes: [] },
    partial,
    reranking: { state: 'reranked', count: 2, of: 2, milliseconds: 1, models: [], note: null },
    confidence: null,
    tookMs: 5,
    results: ranking('shop/cart.py::total', 'shop/tax.py::add_tax'),
  } as unknown as SearchResponse;
}

const PLAN = {
  model: 'tiny',
  place: 'on this machine',
  agreed: true,
  chunks: [{}, {}],
  expected: { requests: 1, characters: 400 },
} as unknown as CheckPlan;

const OUTCOME = {
  model: 'tiny',
  place: 'on this machine',
  checkedAt: '2026-11-28T10:00:00.000Z',
  asked: ['shop/tax.py::add_tax', 'shop/cart.py::total'],
  added: [],
  chunks: [
    { address: 'shop/tax.py::add_tax', isEdit: true, reason: 'It adds it.', from: 2, to: 1 },
    { address: 'shop/cart.py::total', isEdit: false, reason: '', from: 1, to: 2 },
  ],
  missing: [],
  used: { requests: 1, characters: 400 },
  notes: [],
  failure: null,
} as unknown as CheckOutcome;

const FAILURE = { message: 'Nothing answers at 127.0.0.1.', remedy: 'Start the server.' };

function answering(more: Answers = {}, automatic = true): Answers {
  let saved = settings.parse({
    check: { ...CHECK_DEFAULTS, address: 'http://127.0.0.1/v1', model: 'tiny', automatic },
  });
  return {
    'settings.get': () => saved,
    'settings.set': (change) => {
      saved = { ...saved, ...change } as typeof saved;
      return saved;
    },
    search: () => found(),
    'check.plan': () => PLAN,
    'check.run': () => OUTCOME,
    'check.stored': () => null,
    'check.forget': () => null,
    ...more,
  };
}

const bar = ({ page }: Stage) => page.getByRole('region', { name: 'Check', exact: true });
const first = async ({ page }: Stage) =>
  page.locator('[role=option][aria-posinset="1"]').getAttribute('data-name');
const issuesOf = (stage: Stage) => stage.asked('check.run').map(({ request }) => request.issue);

describe('a check that runs by itself', () => {
  it('checks each final list once, and says what it costs', async () => {
    const stage = await show('ResultsPane', answering());
    await stage.drive('loadIssue', ISSUE);
    await bar(stage).getByText('Checked by itself when the list is final').waitFor();
    await bar(stage).getByText('Checked order: 1 function to edit').waitFor();
    await bar(stage).getByText('tiny on this machine · ≈ 100 tokens').waitFor();
    assert.equal(await first(stage), 'add_tax');
    await stage.emit('updated', {
      repository: 'shop',
      update: { changed: [], removed: [] } as never,
    });
    await stage.drive('loadIssue', OTHER);
    await bar(stage).getByText('Checked by itself when').waitFor();
    await bar(stage).getByText('Checked order:').waitFor();
    assert.deepEqual(issuesOf(stage), [ISSUE, OTHER]);
    await stage.page.getByRole('button', { name: 'Remove check' }).click();
    await bar(stage).waitFor({ state: 'detached' });
    await stage.page.waitForTimeout(RESTED_MS);
    assert.equal(issuesOf(stage).length, 2);
  });

  it('is off by default, and while nobody agreed', async () => {
    const off = await show('ResultsPane', answering({}, false));
    await off.drive('loadIssue', ISSUE);
    await off.page.waitForTimeout(RESTED_MS);
    assert.equal(off.asked('check.plan').length, 0);

    const unagreed = { ...PLAN, agreed: false };
    const stage = await show('ResultsPane', answering({ 'check.plan': () => unagreed }));
    await stage.drive('loadIssue', ISSUE);
    await bar(stage).waitFor();
    await bar(stage).waitFor({ state: 'detached' });
    await stage.drive('loadIssue', OTHER);
    await stage.page.waitForTimeout(RESTED_MS);
    assert.equal(stage.asked('check.plan').length, 1, 'not tried for each list');
    assert.equal(issuesOf(stage).length, 0);
    assert.equal(await stage.page.getByRole('dialog').count(), 0);
  });

  it('waits until the list is complete', async () => {
    let isPartial = true;
    const search = () => found(isPartial ? ({ reason: 'Indexing.' } as never) : null);
    const stage = await show('ResultsPane', answering({ search }));
    await stage.drive('loadIssue', ISSUE);
    await stage.page.waitForTimeout(RESTED_MS);
    assert.equal(stage.asked('check.plan').length, 0);
    isPartial = false;
    await stage.drive('loadIssue', OTHER);
    await bar(stage).getByText('Checked order:').waitFor();
    assert.deepEqual(issuesOf(stage), [OTHER]);
  });

  it('waits until the list is reranked', async () => {
    const reranked = Promise.withResolvers<SearchResponse>();
    const stage = await show('ResultsPane', answering({ search: () => reranked.promise }));
    await stage.drive('loadIssue', ISSUE);
    await stage.page.getByRole('status', { name: 'Searching' }).waitFor();
    const [{ run = '' } = {}] = stage.asked('search');
    await stage.emit('ranking', { run, response: found() });
    await stage.page.getByRole('option').first().waitFor();
    await stage.page.waitForTimeout(RESTED_MS);
    assert.equal(stage.asked('check.plan').length, 0);
    reranked.resolve(found());
    await bar(stage).getByText('Checked order:').waitFor();
    assert.deepEqual(issuesOf(stage), [ISSUE]);
  });

  it('is canceled by another search, whose list it checks', async () => {
    const silent = Promise.withResolvers<CheckOutcome>();
    const run = ({ request }: { request: { issue: string } }) =>
      request.issue === ISSUE ? silent.promise : OUTCOME;
    const stage = await show('ResultsPane', answering({ 'check.run': run }));
    await stage.drive('loadIssue', ISSUE);
    await bar(stage).getByText('Checking 2 functions').waitFor();
    await bar(stage).getByText('tiny on this machine · ≈ 100 tokens').waitFor();
    await stage.drive('loadIssue', OTHER);
    await bar(stage).getByText('Checked order:').waitFor();
    silent.resolve({ ...OUTCOME, chunks: [] });
    assert.deepEqual(issuesOf(stage), [ISSUE, OTHER]);
    await bar(stage).getByText('Checked order: 1 function').waitFor();
  });

  it('is not repeated after the user canceled it', async () => {
    const stage = await show(
      'ResultsPane',
      answering({ 'check.run': () => new Promise(() => {}) }),
    );
    await stage.drive('loadIssue', ISSUE);
    await bar(stage).getByRole('button', { name: 'Cancel' }).click();
    await bar(stage).waitFor({ state: 'detached' });
    await stage.page.waitForTimeout(RESTED_MS);
    assert.equal(issuesOf(stage).length, 1);
  });

  it('fails in one quiet line, and stops until the user asks', async () => {
    let failure: CheckOutcome['failure'] = FAILURE;
    const stage = await show(
      'ResultsPane',
      answering({ 'check.run': () => ({ ...OUTCOME, failure }) }),
    );
    await stage.drive('loadIssue', ISSUE);
    await bar(stage)
      .getByText('Not checked: Nothing answers at 127.0.0.1. Start the server.')
      .waitFor();
    assert.equal(await stage.page.getByRole('alert').count(), 0);
    await stage.drive('loadIssue', OTHER);
    await stage.page.waitForTimeout(RESTED_MS);
    assert.deepEqual(issuesOf(stage), [ISSUE]);
    failure = null;
    await bar(stage).getByRole('button', { name: 'Retry' }).click();
    await bar(stage)
      .getByText(/order.*: \d function/i)
      .waitFor();
    await stage.drive('loadIssue', ISSUE);
    await bar(stage).getByText('Checked by itself when').waitFor();
    await bar(stage)
      .getByText(/order.*: \d function/i)
      .waitFor();
    assert.deepEqual(issuesOf(stage), [ISSUE, OTHER, ISSUE]);
  });

  it('moves no rows under the pointer', async () => {
    const stage = await show('ResultsPane', answering());
    await stage.drive('loadIssue', ISSUE);
    await stage.page.getByRole('option').first().hover();
    await bar(stage).getByText('Order before the check: 1 function to edit').waitFor();
    assert.equal(await first(stage), 'total');
    await bar(stage).getByRole('button', { name: 'Show checked order' }).click();
    await stage.page.locator('[aria-posinset="1"][data-name=add_tax]').waitFor();
  });
});
