import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { STRUCTURED_META_KEY } from '../../../src/mcp/tool.ts';
import { type Attempt, Count, type Lines } from './attempt.ts';

const lines = z.array(z.object({ line: z.number() }));
const result = z.object({
  path: z.string(),
  name: z.string(),
  lines,
  omittedLines: z.number(),
});
const located = z.object({ results: z.array(result), partial: z.unknown() });
const reading = z.object({ functions: z.array(z.object({ path: z.string(), lines })) });

/**
 * Simulates an agent that locates the issue, then reads the functions whose lines were not all shown, from first to last.
 *
 * @param options other arguments of `locate`
 */
export async function searchByLocate(
  client: Client,
  issue: string,
  edited: Lines,
  options: Record<string, unknown> = {},
): Promise<Attempt> {
  const count = new Count(edited);
  const call = async (name: string, args: Record<string, unknown>) => {
    const request = { name, arguments: args, _meta: { [STRUCTURED_META_KEY]: true } };
    const { content, structuredContent } = await client.callTool(request, { timeout: 600_000 });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { said: JSON.stringify(args), text, value: structuredContent };
  };
  const see = (path: string, shown: z.output<typeof lines>) => {
    for (const { line } of shown) count.saw(path, line, line);
  };
  // Indexing time is not part of the attempt.
  const query = { query: issue, ...options };
  const waiting = { ...query, waitSeconds: 60 };
  while (located.parse((await call('locate', waiting)).value).partial !== null);

  const first = await call('locate', query);
  count.call(first.said, first.text);
  const { results } = located.parse(first.value);
  for (const { path, lines: shown } of results) see(path, shown);
  for (const { path, name, omittedLines } of results) {
    if (count.over) break;
    if (omittedLines === 0) continue;
    const answer = await call('read', { names: [`${path}::${name}`] });
    count.call(answer.said, answer.text);
    for (const one of reading.parse(answer.value).functions) see(one.path, one.lines);
  }
  return count;
}
