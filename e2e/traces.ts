/**
 * Saves pictures and traces of failed tests in `test-results/<spec>/`. A trace needs `LOCUS_TRACE=1`, which a second try sets; open it
 * with `npx playwright-core show-trace <file>`. Tracing every test would be too slow.
 */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach } from 'node:test';
import type { BrowserContext } from 'playwright-core';

const RESULTS = join(import.meta.dirname, '../test-results');
const TRACED = process.env.LOCUS_TRACE === '1';
const SPEC = basename(process.argv[1] ?? '', '.spec.ts');

/** Open windows, each with true if a test has ended since it was opened. */
const windows = new Map<BrowserContext, { tested: boolean }>();
let kept = false;

/** Saves pictures and traces of the failed tests of a suite. */
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

/** Starts a trace of a window if traces are wanted. */
export async function trace(context: BrowserContext): Promise<void> {
  if (!kept) return;
  if (TRACED) await context.tracing.start({ snapshots: true });
  windows.set(context, { tested: false });
  context.once('close', () => windows.delete(context));
}

/** Saves pictures of windows in which no test has ended. Call it before the windows are closed. */
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
    // A page that hangs cannot be photographed; the trace shows it.
    await page.screenshot({ path: `${file}-${index + 1}.png`, timeout: 5000 }).catch(() => {});
  }
  console.log(`# kept: ${file}${TRACED ? '.zip' : '-*.png'}`);
}
