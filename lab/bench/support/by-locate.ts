import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Attempt, Count, type Lines } from './attempt.ts';

const result = z.object({
  path: z.string(),
  name: z.string(),
  startLine: z.number(),
  code: z.string().optional(),
});
const located = z.object({ results: z.array(result), partial: z.unknown() });
type Result = z.output<typeof result>;

const FIRST = 5;
const MORE = 20;

/**
 * Simulates an agent that locates the issue, reads the five results from first to last, then asks for twenty and reads on.
 *
 * @param codeTokens tokens of code that it requests in the first answer
 */
export async function searchByLocate(
  client: Client,
  issue: string,
  edited: Lines,
  codeTokens: number,
): Promise<Attempt> {
  const count = new Count(edited);
  const call = async (name: string, args: Record<string, unknown>) => {
    const request = { name, arguments: args };
    const { content, structuredContent } = await client.callTool(request, { timeout: 600_000 });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { said: JSON.stringify(args), text, value: structuredContent };
  };
  // Indexing time is not part of the attempt.
  while (located.parse((await call('locate', { issue, waitSeconds: 60 })).value).partial !== null);

  const read = new Set<string>();
  for (const limit of [FIRST, MORE]) {
    if (count.over) break;
    const first = await call('locate', {
      issue,
      ...(limit === FIRST ? {} : { limit }),
      ...(limit === FIRST && codeTokens > 0 ? { codeTokens } : {}),
    });
    count.call(first.said, first.text);
    const { results } = located.parse(first.value);
    for (const one of results) if (one.code !== undefined) saw(count, one, one.code);
    for (const one of results) {
      const name = `${one.path}::${one.name}`;
      if (count.over || read.has(name) || one.code !== undefined) continue;
      read.add(name);
      const answer = await call('read', { name });
      count.call(answer.said, answer.text);
      saw(count, one, z.object({ code: z.string() }).parse(answer.value).code);
    }
  }
  return count;
}

function saw(count: Count, { path, name, startLine }: Result, code: string): void {
  // The module code of a file is not one contiguous range.
  if (name === '<module>') return;
  count.saw(path, startLine, startLine + code.split('\n').length - 1);
}
