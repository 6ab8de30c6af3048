import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { start } from '../../src/main/start.ts';
import { removeFolder } from '../support/repository.ts';
import { createElectron, type DoubleOptions, type ElectronDouble } from './electron-double.ts';

export interface Launched extends ElectronDouble {
  /** Temporary folder of the test, with the data directory `data` in it. */
  folder: string;
}

/** Creates a temporary folder for Locus's data. */
export function makeFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'locus-main-')));
  const before = process.env.LOCUS_DATA_DIR;
  process.env.LOCUS_DATA_DIR = join(folder, 'data');
  mkdirSync(join(folder, 'out/renderer'), { recursive: true });
  writeFileSync(join(folder, 'out/renderer/index.html'), '<!doctype html><title>Locus</title>');
  t.after(() => {
    if (before === undefined) delete process.env.LOCUS_DATA_DIR;
    else process.env.LOCUS_DATA_DIR = before;
    removeFolder(folder);
  });
  return folder;
}

/** Starts the app on the double and waits until its first page has been loaded. */
export async function launch(
  t: TestContext,
  {
    args = [],
    platform = 'linux',
    folder = makeFolder(t),
    ...options
  }: Partial<DoubleOptions> & { args?: string[]; platform?: string; folder?: string } = {},
): Promise<Launched> {
  const electron = createElectron({ appPath: folder, ...options });
  t.after(() => electron.app.quit());
  const program = options.packaged ? ['locus'] : ['electron', '.'];
  await start(electron.api, { argv: [...program, ...args], cwd: folder, platform });
  await settle();
  return { ...electron, folder };
}

/** Waits until pending events are handled. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
