/**
 * Counts the tokens in the answers of the tools for agents: `npm run -s lab -- bench-answers <folder> "issue text"`
 *
 * Calls each tool with its defaults, and some with larger limits. Asks about the functions that the search finds first.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { countTokens } from '../../src/mcp/answer.ts';
import { createMcpEndpoint } from '../../src/mcp/server.ts';
import { STRUCTURED_META_KEY } from '../../src/mcp/tool.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';

const [folder, issue] = process.argv.slice(2);
if (folder === undefined || issue === undefined) {
  console.error('usage: npm run -s lab -- bench-answers <folder> "issue text"');
  process.exit(2);
}
const endpoint = createMcpEndpoint([folder], {});
const client = new Client({ name: 'bench', version: '1.0.0' });
const fetchHere = (url: URL | string, init?: RequestInit) => endpoint.fetch(new Request(url, init));
await client.connect(
  new StreamableHTTPClientTransport(new URL('http://bench.invalid/mcp'), { fetch: fetchHere }),
);

const located = z.object({
  results: z.array(z.object({ path: z.string(), name: z.string() })),
  partial: z.unknown(),
});
const rows: string[][] = [];
async function ask(name: string, how: string, args: Record<string, unknown>) {
  const { content, structuredContent } = await client.callTool(
    { name, arguments: args, _meta: { [STRUCTURED_META_KEY]: true } },
    { timeout: 600_000 },
  );
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  rows.push([`\`${name}\``, how, String(countTokens(text))]);
  return structuredContent;
}

const query = { query: issue, waitSeconds: 60 };
let first = located.parse(await ask('locate', 'as it is', query));
while (first.partial !== null) {
  rows.length = 0;
  first = located.parse(await ask('locate', 'as it is', query));
}
for (const maxTokens of [500, 1000, 4000])
  await ask('locate', `maxTokens ${maxTokens}`, { ...query, maxTokens });
const names = first.results.slice(0, 3).map(({ path, name }) => `${path}::${name}`);
for (const name of names) await ask('read', name, { names: [name] });
await ask('read', 'the first three', { names });
await ask('read', 'the first, tests and history', {
  names: names.slice(0, 1),
  show: ['tests', 'history'],
});
await ask('repository_status', 'as it is', {});
const { tools } = await client.listTools();
rows.push([
  'descriptions of all tools',
  'once a session',
  String(countTokens(JSON.stringify(tools))),
]);
for (const line of formatMarkdownTable(['tool', 'asked', 'tokens'], rows)) console.log(line);
await client.close();
await endpoint.close();
