import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncoderDocument } from '../../src/engine/encode/types.ts';

const SOURCES = join(import.meta.dirname, '../../src/engine/encode');
const LINES = 12;

/** Real text in pieces of different lengths: a few lines each of Locus's own encoder. */
export async function sampleDocuments(): Promise<EncoderDocument[]> {
  const documents: EncoderDocument[] = [];
  for (const path of (await readdir(SOURCES)).filter((name) => name.endsWith('.ts')).sort()) {
    const lines = (await readFile(join(SOURCES, path), 'utf8')).split('\n');
    for (let at = 0; at < lines.length; at += LINES) {
      const text = lines.slice(at, at + LINES - (documents.length % 7)).join('\n');
      const signatureEnd = Math.max(0, text.indexOf('\n'));
      const callees = documents
        .slice(-(documents.length % 3))
        .map(({ path, text }) => ({ path, text }));
      documents.push({ path, text, signatureEnd, doc: null, callees });
    }
  }
  return documents;
}
