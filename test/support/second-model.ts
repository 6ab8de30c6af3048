import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEQUENCE_MODEL } from '../encode/sequence-model.ts';

/** Installs a small custom reranking model. Returns its folder. */
export function installSecondModel(dataDir: string): string {
  const folder = join(dataDir, 'models', 'coret-1');
  mkdirSync(folder, { recursive: true });
  const manifest = { ...SEQUENCE_MODEL['model.json'], id: 'coret-1', maxTokens: 64 };
  for (const [name, content] of Object.entries({ ...SEQUENCE_MODEL, 'model.json': manifest })) {
    const isFile = content instanceof Uint8Array;
    writeFileSync(join(folder, name), isFile ? content : JSON.stringify(content));
  }
  return folder;
}
