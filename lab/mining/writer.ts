import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { writeFileAtomically } from '../../src/base/write-file.ts';
import type { HeaderLine } from './format.ts';
import type { WorkFile } from './work-file.ts';

/** Compression level: twice as slow as the default and a tenth smaller. Mining takes far longer than either. */
const LEVEL = 12;
const PAGE = 1000;
/** Approximate number of characters that are passed to the compressor at once. */
const PIECE = 1 << 18;

/**
 * Writes all results. The file is complete or missing.
 * @throws LocusError as `writeFileAtomically`
 */
export async function writeTrainingData(
  file: string,
  header: HeaderLine,
  work: WorkFile,
): Promise<void> {
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  const pieces = Readable.from(inPieces(lines(header, work)));
  await pipeline(pieces, compress, (packed: AsyncIterable<Uint8Array>) =>
    writeFileAtomically(file, packed),
  );
}

function* lines(header: HeaderLine, work: WorkFile): Generator<string> {
  yield JSON.stringify(header);
  for (const chunk of work.chunks()) yield JSON.stringify(chunk);
  for (let after = -1; ; ) {
    const page = work.commits(after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    for (const { commit } of page) yield JSON.stringify(commit);
    after = last.position;
  }
}

function* inPieces(all: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of all) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
