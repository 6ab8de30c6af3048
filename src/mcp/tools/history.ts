import { z } from 'zod';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import {
  chunkLocation,
  cutSentence,
  describePartial,
  formatChunkName,
  formatLocation,
  formatPartial,
  partialAnswer,
} from '../answer.ts';
import { DEFAULT_WAIT_S, defineTool, nameArgument, repositoryArgument } from '../tool.ts';

/** Maximum length of a subject, in UTF-16 units. */
const MAX_SUBJECT = 200;

const input = z.object({
  name: nameArgument,
  repository: repositoryArgument,
  limit: z.int().min(1).max(50).default(10).describe('Maximum number of commits'),
});

const output = z.object({
  of: chunkLocation,
  commits: z.array(z.object({ commit: z.string(), date: z.string(), subject: z.string() })),
  omittedCommits: z.number(),
  /** Reason why there may be more commits. */
  note: z.string().optional(),
  partial: partialAnswer,
});

export const history = defineTool({
  name: 'history',
  title: 'Commits of a function',
  description: QUERIES.history.summary,
  input,
  output,
  async answer({ name, repository, limit }, call) {
    return call.ask(repository, DEFAULT_WAIT_S, async (opened, freshness) => {
      const { of, commits, hidden, hasHistory } = await opened.history({ chunk: name, limit });
      const value = {
        of: formatLocation(of),
        commits: commits.map(({ commit, time, subject }) => ({
          commit: commit.slice(0, 10),
          date: formatDate(time),
          subject: cutSentence(escapeHidden(subject), MAX_SUBJECT),
        })),
        omittedCommits: hidden,
        ...(!hasHistory && { note: 'The repository has no history, or it is not read yet.' }),
        partial: describePartial(freshness),
      };
      return { value, text: formatText(value) };
    });
  },
});

/** @param time seconds since 1970, which the author of a commit chose */
function formatDate(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.valueOf()) ? 'unknown' : date.toISOString().slice(0, 10);
}

function formatText({
  of,
  commits,
  omittedCommits,
  note,
  partial,
}: z.output<typeof output>): string {
  return [
    formatChunkName(of),
    ...(commits.length === 0 && note === undefined ? ['No commit that was read changed it.'] : []),
    ...commits.map(({ commit, date, subject }) => `  ${date} ${commit} ${quoteText(subject)}`),
    ...(omittedCommits > 0 ? [`  … and ${omittedCommits} more: use a larger limit`] : []),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...formatPartial(partial),
  ].join('\n');
}
