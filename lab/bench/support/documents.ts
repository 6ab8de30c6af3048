import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncoderDocument } from '../../../src/engine/lab.ts';

/**
 * Reads the chunks of the Python files under `root`, cut at lines that begin a `def` or `class`. This needs no parser, and is
 * close enough to the engine's chunks in number and size. Each chunk has the two that follow it as callees.
 */
export async function readDocuments(root: string): Promise<EncoderDocument[]> {
  const files = await readdir(root, { recursive: true });
  const made: EncoderDocument[] = [];
  for (const path of files.filter((name) => name.endsWith('.py')).sort()) {
    const text = await readFile(join(root, path), 'utf8');
    for (const piece of text.split(/^(?=[ \t]*(?:def|class) )/m)) {
      const signatureEnd = piece.indexOf(':\n') + 1;
      made.push({ path, text: piece, signatureEnd, doc: null, callees: [] });
    }
  }
  for (const [i, document] of made.entries()) {
    document.callees = made.slice(i + 1, i + 3).map(({ path, text }) => ({ path, text }));
  }
  return made;
}
