/**
 * What happened in the windows of a test, kept when it fails: in `test-results/<spec>/`, a picture of the end and, with
 * `LOCUS_TRACE=1`, as at a second try, a trace for `npx playwright-core show-trace <file>`, with the page as it was before and after
 * each action. A trace of every test would take a good part of the time that all of them take.
 */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach } from 'node:test';
import type { BrowserContext } from 'playwright-core';

const RESULTS = join(import.meta.dirname, '../test-results');
const TRACED = process.env.LOCUS_TRACE === '1';
const SPEC = basename(process.argv[1] ?? '', '.spec.ts');

/** The windows of this process, and whether a test has ended since each was opened. */
const windows = new Map<BrowserContext, { tested: boolean }>();
let kept = false;

/** Keeps what shows of the tests of this suite that fail. */
export function keepTraces(): void {
  kept = true;
  afterEach(async (test) => {
    for (const [context, state] of windows) {
      state.tested = true;
      if (!('passed' in test && test.passed)) await keep(context, test.name);
      else if (TRACED) await context.tracing.stopChunk();
      if (TRACED) await context.tracing.startChunk();
    }
  });
}

/** Follows a window, where what fails is kept. */
export async function trace(context: BrowserContext): Promise<void> {
  if (!kept) return;
  if (TRACED) await context.tracing.start({ snapshots: true });
  windows.set(context, { tested: false });
  context.once('close', () => windows.delete(context));
}

/** Before the windows are closed: those in which not even a first test came to its end show why. */
export async function endTraces(): Promise<void> {
  for (const [context, { tested }] of windows) if (!tested) await keep(context, 'before the tests');
  windows.clear();
}

async function keep(context: BrowserContext, name: string): Promise<void> {
  const folder = join(RESULTS, SPEC);
  const at = [...windows.keys()].indexOf(context) + 1;
  const file = join(folder, `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)}-${at}`);
  mkdirSync(folder, { recursive: true });
  if (TRACED) await context.tracing.stopChunk({ path: `${file}.zip` });
  for (const [index, page] of context.pages().entries()) {
    // A page that hangs is in the trace.
    await page.screenshot({ path: `${file}-${index + 1}.png`, timeout: 5000 }).catch(() => {});
  }
  console.log(`# kept: ${file}${TRACED ? '.zip' : '-*.png'}`);
}
