import { z } from 'zod';
import { listOwnLines } from '../../services/code-lines.ts';
import type { ChunkDetail } from '../../shared/detail.ts';
import { formatFailure, LocusError } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { describeUndecoded } from '../../shared/undecoded.ts';
import {
  CHARACTERS_PER_TOKEN,
  type ChunkLocation,
  describePartial,
  formatChunkName,
  formatLocation,
  formatPartial,
  measureText,
  type PartialAnswer,
  takeFitting,
} from '../answer.ts';
import {
  formatNumberedLines,
  measureLine,
  type NumberedLine,
  toNumberedLine,
} from '../numbered-lines.ts';
import { findSurroundings, SECTIONS, type SurroundingList } from '../read/around.ts';
import { DEFAULT_WAIT_S, defineTool, nameArgument, repositoryArgument } from '../tool.ts';

const CODE = 'code';
const MAX_NAMES = 10;
/** Maximum part of a function's budget for everything but its code. */
const MAX_LISTS = 0.5;

const input = z.object({
  names: z.array(nameArgument).min(1).max(MAX_NAMES),
  repository: repositoryArgument,
  show: z
    .array(z.enum([CODE, ...SECTIONS]))
    .min(1)
    .default([CODE, 'callers', 'callees'])
    .describe('tests: those that reach it at any distance'),
  depth: z.int().min(1).max(3).default(1).describe('Steps to callers and callees'),
  limit: z.int().min(1).max(100).default(15).describe('Maximum length of each list'),
  maxTokens: z.int().min(50).max(16_000).default(4000).describe('Size of the answer'),
});
type Options = z.output<typeof input>;

interface ReadFunction extends ChunkLocation {
  lines: NumberedLine[];
  omittedLines: number;
  sections: SurroundingList[];
  notes: string[];
}

interface ReadAnswer {
  functions: ReadFunction[];
  /** Errors for names that could not be read. */
  failures: string[];
  partial: PartialAnswer;
}

export const read = defineTool({
  name: 'read',
  title: 'Read functions',
  description:
    'Current code of functions, methods or classes, with callers, callees, the tests to run after an edit, or past commits.',
  input,
  async answer({ repository, ...options }, call) {
    return call.ask(repository, DEFAULT_WAIT_S, async (opened, freshness) => {
      const functions: ReadFunction[] = [];
      const failures: LocusError[] = [];
      let left = options.maxTokens * CHARACTERS_PER_TOKEN;
      for (const [at, name] of options.names.entries()) {
        const most = left / (options.names.length - at);
        const one = await tryReading(opened, name, most, options);
        if (one instanceof LocusError) failures.push(one);
        else functions.push(one);
        left -= one instanceof LocusError ? 0 : formatFunction(one).join('\n').length;
      }
      const [failure] = failures;
      if (failure && functions.length === 0) throw failure;
      const value: ReadAnswer = {
        functions,
        failures: failures.map((error) => escapeHidden(formatFailure(error))),
        partial: describePartial(freshness),
      };
      return { value, text: formatText(value) };
    });
  },
});

async function tryReading(
  repository: Repository,
  name: string,
  most: number,
  options: Options,
): Promise<ReadFunction | LocusError> {
  try {
    return await readOne(repository, name, most, options);
  } catch (error) {
    if (!(error instanceof LocusError) || error.code === 'cancelled') throw error;
    return error;
  }
}

/** @param most maximum number of characters, estimated */
async function readOne(
  repository: Repository,
  name: string,
  most: number,
  { show, depth, limit }: Options,
): Promise<ReadFunction> {
  const chunk = await repository.show({ chunk: name });
  const wanted = SECTIONS.filter((one) => show.includes(one));
  const { sections, notes } = await findSurroundings(repository, chunk.address, wanted, {
    depth,
    limit,
  });
  const asksForCode = show.includes(CODE);
  const fitting = fitSections(sections, asksForCode ? most * MAX_LISTS : most);
  const used = fitting.flatMap(({ items }) => items).join('\n').length;
  const lines = asksForCode ? await listLines(repository, chunk) : [];
  const undecoded = describeUndecoded(chunk.code);
  const shown = takeFitting(lines, measureLine, most - used);
  return {
    ...formatLocation(chunk),
    lines: shown,
    omittedLines: lines.length - shown.length,
    sections: fitting,
    notes: [...notes, ...(undecoded ? [undecoded] : [])],
  };
}

/** Lists the lines of a function. Those of module code leave out the definitions between them. */
async function listLines(repository: Repository, chunk: ChunkDetail): Promise<NumberedLine[]> {
  const { address, path, kind, startLine, code } = chunk;
  if (kind !== 'module')
    return code.split('\n').map((text, at) => toNumberedLine({ line: startLine + at, text }));
  const file = await repository.file({ path });
  const outlined = file.chunks.find((one) => one.address === address);
  return outlined ? listOwnLines(file, outlined).map(toNumberedLine) : [];
}

/** Cuts each list to its share of the characters. */
function fitSections(sections: readonly SurroundingList[], most: number): SurroundingList[] {
  let left = most;
  return sections.map(({ section, items, omitted }, at) => {
    const shown = takeFitting(items, measureText, left / (sections.length - at));
    left -= shown.join('\n').length;
    return { section, items: shown, omitted: omitted + items.length - shown.length };
  });
}

const TITLES: Record<SurroundingList['section'], [some: string, none: string]> = {
  callers: ['called by:', 'No caller was found.'],
  callees: ['calls:', 'It calls nothing in the repository.'],
  tests: ['tests that reach it:', 'No test reaches it in the call graph.'],
  history: ['commits that changed it:', 'No commit that was read changed it.'],
};

function formatFunction(value: ReadFunction): string[] {
  const { lines, omittedLines, sections, notes } = value;
  return [
    formatChunkName(value),
    ...formatNumberedLines(lines),
    ...(omittedLines > 0 ? [`… ${omittedLines} more lines: use a larger maxTokens`] : []),
    ...sections.flatMap(formatSection),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function formatSection({ section, items, omitted }: SurroundingList): string[] {
  const [some, none] = TITLES[section];
  if (items.length + omitted === 0) return [none];
  const more = omitted > 0 ? [`  … and ${omitted} more: use a larger limit or maxTokens`] : [];
  return [some, ...items.map((item) => `  ${item}`), ...more];
}

function formatText({ functions, failures, partial }: ReadAnswer): string {
  return [
    ...functions.flatMap((one, at) => [...(at > 0 ? [''] : []), ...formatFunction(one)]),
    ...failures.map((failure) => `error: ${failure}`),
    ...formatPartial(partial),
  ].join('\n');
}
