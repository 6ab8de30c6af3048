/** The component that runs models, fetched from the registry by Locus's own code. It stays in the temporary folder for the next run. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getGgufFolder } from '../../src/services/gguf/folders.ts';
import { findRuntime, installRuntime } from '../../src/services/gguf/runtime.ts';
import { getRegistry } from '../../src/services/registry.ts';
import { LocusError } from '../../src/shared/errors.ts';

const CACHE = join(tmpdir(), 'locus-test-gguf');
const POLL_MS = 200;

/** Makes the component available in a data directory. Fails if the registry cannot be reached. */
export async function provideRuntime(dataDir: string): Promise<void> {
  while (findRuntime(CACHE) === null) {
    try {
      await installRuntime({
        dataDir: CACHE,
        gpu: null,
        source: getRegistry(process.env),
        signal: AbortSignal.timeout(300_000),
      });
    } catch (error) {
      // Another test file installs it.
      if (!(error instanceof LocusError && error.code === 'busy')) throw error;
      await sleep(POLL_MS);
    }
  }
  const library = findRuntime(CACHE)?.library ?? '';
  const installed = dirname(dirname(library));
  mkdirSync(getGgufFolder(dataDir), { recursive: true });
  symlinkSync(
    installed,
    join(getGgufFolder(dataDir), installed.slice(dirname(installed).length + 1)),
  );
}
