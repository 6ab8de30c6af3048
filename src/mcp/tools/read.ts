import { z } from 'zod';
import type { ChunkDetail } from '../../shared/detail.ts';
import { escapeHidden, quoteLines, quoteText } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { describeUndecoded } from '../../shared/undecoded.ts';
import {
  chunkLocation,
  cutCode,
  cutSentence,
  describePartial,
  formatChunkName,
  formatLocation,
  formatPartial,
  partialAnswer,
} from '../answer.ts';
import { DEFAULT_WAIT_S, defineTool, nameArgument, repositoryArgument } from '../tool.ts';

const MAX_CALLEES = 15;
/** Maximum length of a callee's signature, in UTF-16 units. */
const MAX_SIGNATURE = 200;

const input = z.object({
  name: nameArgument,
  repository: repositoryArgument,
  maxTokens: z
    .int()
    .min(50)
    .max(16_000)
    .default(4000)
    .describe('Maximum size of the code, in tokens'),
});

const callee = z.object({ path: z.string(), name: z.string(), signature: z.string() });

const output = chunkLocation.extend({
  code: z.string(),
  omittedLines: z.number(),
  callees: z.array(callee),
  omittedCallees: z.number(),
  partial: partialAnswer,
});

export const read = defineTool({
  name: 'read',
  title: 'Read a function',
  description:
    'Returns the current code of a function, method or class, with the signatures of the functions in the repository that it calls.',
  input,
  output,
  async answer({ name, repository, maxTokens }, call) {
    return call.ask(repository, DEFAULT_WAIT_S, async (opened, freshness) => {
      const chunk = await opened.show({ chunk: name });
      const { text: code, left } = cutCode(chunk.code, maxTokens);
      const called = listCallees(chunk);
      const shown = called.slice(0, MAX_CALLEES);
      const value = {
        ...formatLocation(chunk),
        code,
        omittedLines: left,
        callees: await Promise.all(shown.map((address) => readSignature(opened, address))),
        omittedCallees: called.length - shown.length,
        partial: describePartial(freshness),
      };
      return { value, text: formatText(value) };
    });
  },
});

function listCallees({ address, callees }: ChunkDetail): string[] {
  return [...new Set(callees.map((edge) => edge.callee))].filter((callee) => callee !== address);
}

async function readSignature(
  repository: Repository,
  address: string,
): Promise<z.output<typeof callee>> {
  const chunk = await repository.show({ chunk: address });
  const header = chunk.context.parts
    .filter(({ role }) => role === 'signature')
    .map(({ text, cutText }) => text + cutText)
    .join('');
  const signature = cutSentence(escapeHidden(header.split(/\s+/).join(' ').trim()), MAX_SIGNATURE);
  const { path, name } = formatLocation(chunk);
  return { path, name, signature };
}

function formatText(value: z.output<typeof output>): string {
  const { code, omittedLines, callees, omittedCallees, partial: missing } = value;
  const undecoded = describeUndecoded(code);
  return [
    formatChunkName(value),
    ...quoteLines(code),
    ...(undecoded ? [undecoded] : []),
    ...(omittedLines > 0
      ? [`… ${omittedLines} more lines: read them from the file, or use a larger maxTokens`]
      : []),
    ...(callees.length > 0 ? ['', 'calls:'] : []),
    ...callees.map(
      ({ path, name, signature }) => `  ${quoteText(`${path}::${name}`)} ${quoteText(signature)}`,
    ),
    ...(omittedCallees > 0 ? [`  … and ${omittedCallees} more: use neighbors to list them`] : []),
    ...formatPartial(missing),
  ].join('\n');
}
