/** Reads a unified diff that somebody gives, with bounds. */
import { DiffReader, type HunkHeader, type LineMark } from '../../../base/unified-diff.ts';
import { badInput } from '../../../shared/errors.ts';

export interface PatchHunk extends HunkHeader {
  lines: { mark: LineMark; text: string }[];
}

export interface DiffedFile {
  /** Path before the diff; null for a new file. */
  from: string | null;
  /** Path after the diff; null for a removed file. */
  to: string | null;
  hunks: PatchHunk[];
}

export interface ReadDiff {
  files: DiffedFile[];
  /** Number of files or hunks beyond the limits. */
  leftOut: number;
  /** Number of binary files. */
  binary: number;
}

/** Maximum number of files of a diff that are read. */
export const MAX_FILES = 300;
const MAX_HUNKS = 3_000;

/** @throws LocusError `bad-input` for a text without a diff, or for hunks without a file */
export function readDiff(text: string): ReadDiff {
  const read: ReadDiff = { files: [], leftOut: 0, binary: 0 };
  let file: DiffedFile | null = null;
  let hunk: PatchHunk | null = null;
  let hunks = 0;
  const reader = new DiffReader({
    unquotes: true,
    beginFile: ({ from, to }) => {
      if (from === '' && to === '') throw createHeaderError();
      hunk = null;
      file = { from, to: to === '' ? from : to, hunks: [] };
      if (read.files.length < MAX_FILES) read.files.push(file);
      else read.leftOut++;
    },
    beginHunk: (header) => {
      hunk = { ...header, lines: [] };
      if (hunks++ < MAX_HUNKS) file?.hunks.push(hunk);
      else read.leftOut++;
    },
    line: (mark, line, start) => {
      if (mark !== '\\') hunk?.lines.push({ mark, text: line.slice(start) });
    },
  });
  for (const line of text.split('\n')) {
    if (isBinaryMark(line)) read.binary++;
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    reader.readLine(line.slice(0, end), 0, end);
  }
  reader.end();
  if (read.files.length === 0 && read.binary === 0) throw createMissingError();
  return read;
}

const isBinaryMark = (line: string): boolean =>
  line.startsWith('GIT binary patch') ||
  (line.startsWith('Binary files ') && line.includes(' differ'));

const createHeaderError = () =>
  badInput(
    'The diff has a hunk without a file.',
    'Add the lines --- and +++ with its path above it, as git diff prints them.',
  );

const createMissingError = () =>
  badInput('The text contains no diff.', 'Give a unified diff, as git diff prints it.');
