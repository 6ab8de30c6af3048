/**
 * Counts the tokens in the answers of the tools for agents: `npm run -s lab -- bench-answers <folder> "issue text"`
 *
 * Calls each tool with its defaults, and some with larger limits. Asks about the functions that the search finds first.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { countTokens } from '../../src/mcp/answer.ts';
import { createMcpEndpoint } from '../../src/mcp/server.ts';
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
    { name, arguments: args },
    { timeout: 600_000 },
  );
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const json = JSON.stringify(structuredContent) ?? '';
  rows.push([`\`${name}\``, how, String(countTokens(text)), String(countTokens(json))]);
  return structuredContent;
}

const everything = { issue, waitSeconds: 60 };
let first = located.parse(await ask('locate', 'as it is', everything));
while (first.partial !== null) {
  rows.length = 0;
  first = located.parse(await ask('locate', 'as it is', everything));
}
await ask('locate', 'limit 20', { ...everything, limit: 20 });
await ask('locate', 'codeTokens 2000', { ...everything, codeTokens: 2000 });
await ask('locate', 'limit 20, codeTokens 8000', { ...everything, limit: 20, codeTokens: 8000 });
for (const { path, name } of first.results.slice(0, 3))
  await ask('read', name, { name: `${path}::${name}` });
for (const { path, name } of first.results.slice(0, 2)) {
  await ask('neighbors', name, { name: `${path}::${name}` });
  await ask('neighbors', `${name}, depth 3, limit 100`, {
    name: `${path}::${name}`,
    depth: 3,
    limit: 100,
  });
}
await ask('repository_status', 'as it is', {});
const { tools } = await client.listTools();
rows.push([
  'descriptions of all tools',
  'once a session',
  String(countTokens(JSON.stringify(tools))),
  '',
]);
for (const line of formatMarkdownTable(['tool', 'asked', 'tokens of text', 'tokens of JSON'], rows))
  console.log(line);
await client.close();
await endpoint.close();
