import { PackedTexts, packText, packTexts, unpackText } from '../columns/packed.ts';
import type { FileFacts } from '../languages/facts.ts';
import { PackedChunks, packChunks } from './packed-chunks.ts';
import type { ParsedChunk, ParsedFile } from './types.ts';

type Unchanged = Pick<ParsedFile, 'termCounts' | 'lines' | 'errors' | 'generated'>;

/** Parsed file as it is stored. Only its terms have yet to get the numbers of the repository. */
export interface PackedFile extends Unchanged {
  /** Number of chunks. */
  count: number;
  /** Chunks without their texts: `packChunks`. */
  chunks: Uint8Array;
  /** The decoded file, then the texts of its chunks: `packTexts`. */
  texts: Uint8Array;
  /**
   * Facts for the call graph as JSON: `packText`. Their only references are those to bases and decorators, since the others are
   * needed only while the file is resolved.
   */
  facts: Uint8Array;
  /** All references as JSON: `packText`. */
  references: Uint8Array;
}

/** Parsed file with its text. */
export interface UnpackedFile extends Unchanged {
  content: string;
  chunks: readonly ParsedChunk[];
  facts: FileFacts;
}

/** Packs a parsed file. Each part has memory of its own, which can be transferred to another thread. */
export function packFile({ content, chunks, facts, ...rest }: UnpackedFile): PackedFile {
  const { termCounts, lines, errors, generated } = rest;
  return {
    ...{ termCounts, lines, errors, generated },
    count: chunks.length,
    chunks: new Uint8Array(packChunks(chunks)),
    texts: new Uint8Array(packTexts([content, ...chunks.map(({ text }) => text)])),
    facts: new Uint8Array(packText(JSON.stringify(selectHeritage(facts)))),
    references: new Uint8Array(packText(JSON.stringify(facts.references))),
  };
}

/** Returns a packed file as it was before, with its other properties. */
export function unpackFile<File extends PackedFile>(
  file: File,
): Omit<File, 'count' | 'chunks' | 'texts' | 'facts' | 'references'> & UnpackedFile {
  const { count: _, chunks: packedChunks, texts: packedTexts, facts, references, ...rest } = file;
  const [texts, chunks] = [new PackedTexts(packedTexts), new PackedChunks(packedChunks)];
  return {
    ...rest,
    content: texts.at(0) ?? '',
    chunks: chunks.getRows().map(({ length: _length, ...row }, position) => ({
      ...row,
      text: texts.at(position + 1) ?? '',
      signatureEnd: chunks.getSignatureEnd(position),
      doc: chunks.getDoc(position),
    })),
    facts: { ...JSON.parse(unpackText(facts)), references: JSON.parse(unpackText(references)) },
  };
}

function selectHeritage(facts: FileFacts): FileFacts {
  const heritage = facts.references.filter(({ kind }) => kind === 'inherit' || kind === 'decorate');
  return { ...facts, references: heritage };
}
