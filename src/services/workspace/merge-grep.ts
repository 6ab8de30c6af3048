/** Merges the matches of a workspace's repositories. */
import type { GrepResponse } from '../../shared/grep.ts';
import { quoteText } from '../../shared/quote.ts';
import { sortMatchingFiles, sortMatchingFunctions } from '../../shared/sort-matches.ts';

interface MemberAnswer {
  name: string;
  response: GrepResponse;
}

/**
 * Merges answers whose paths have the names of their repositories. Pure.
 * @param names repositories that were asked; the note names those that failed
 * @param limit maximum number of functions and of files
 */
export function mergeGrep(
  names: readonly string[],
  answers: readonly MemberAnswer[],
  limit: number,
): GrepResponse {
  const sum = (key: keyof GrepResponse['total']) =>
    answers.reduce((total, { response }) => total + response.total[key], 0);
  const answered = new Set(answers.map(({ name }) => name));
  const failed = names.filter((name) => !answered.has(name)).map(quoteText);
  const notes = [
    ...answers.flatMap(({ name, response: { note } }) =>
      note === null ? [] : [`${quoteText(name)}: ${note}`],
    ),
    ...(failed.length > 0 ? [`Not searched: ${failed.join(', ')}.`] : []),
  ];
  return {
    functions: sortMatchingFunctions(answers.flatMap(({ response }) => response.functions)).slice(
      0,
      limit,
    ),
    files: sortMatchingFiles(answers.flatMap(({ response }) => response.files)).slice(0, limit),
    total: {
      matches: sum('matches'),
      lines: sum('lines'),
      functions: sum('functions'),
      outside: sum('outside'),
      files: sum('files'),
      searched: sum('searched'),
    },
    note: notes.join(' ') || null,
  };
}
