import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** The model that comes with Locus. */
export const BAG_1 = join(import.meta.dirname, '../../models/bag-1');

/** Creates a folder with these files and removes it after the test. Objects are written as JSON. */
export async function folderWith(
  t: TestContext,
  files: Record<string, string | Uint8Array | object>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'locus-model-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const plain = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(join(folder, name), plain ? content : JSON.stringify(content));
  }
  return folder;
}

/** Manifest of a bag model. The test writes the files that it lists. */
export function bagManifest(changes: object = {}) {
  return {
    id: 'tiny-bag',
    version: '1',
    kind: 'bag',
    dimensions: 2,
    tokenizer: {
      type: 'words',
      file: 'vocab.txt',
      pattern: '[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+',
      lowercase: true,
      hashBuckets: 16,
      hash: 'fnv1a32',
      maxWordsPerField: 6,
    },
    fields: { path: 0, signature: 1, body: 2, callees: 3, title: 4, text: 5 },
    tokenWeight: 'log1p(count)',
    maxQueryWords: 8,
    files: { cpu: 'model.onnx' },
    ...changes,
  };
}
