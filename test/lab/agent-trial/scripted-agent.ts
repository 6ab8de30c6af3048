/**
 * An agent that follows a script, chosen by a word of the issue: `node scripted-agent.ts <MCP configuration> <notes> [option]`. It writes what
 * it saw to the notes, one JSON line an attempt.
 */
import { execFileSync, execSync, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [mcp = '', notes = '', option = null] = process.argv.slice(2);
const prompt = await text(process.stdin);
const [issue = ''] = prompt.split('# Issue\n').slice(1);
const { mcpServers } = JSON.parse(readFileSync(mcp, 'utf8'));
const note = (value: object) => appendFileSync(notes, `${JSON.stringify(value)}\n`);

async function locate(): Promise<string> {
  const { command, args } = mcpServers.locus;
  const client = new Client({ name: 'scripted', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args }));
  const { content } = await client.callTool({ name: 'locate', arguments: { query: issue } });
  await client.close();
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

const run = (command: string) => execSync(command, { encoding: 'utf8' });

if (issue.includes('hangs')) {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  note({ child: child.pid });
  setInterval(() => {}, 1000);
} else if (issue.includes('crashes')) {
  note({ crashed: true });
  process.exit(3);
} else if (issue.includes('edits')) {
  note({ edited: true });
  const path = 'shop/money.py';
  writeFileSync(path, readFileSync(path, 'utf8').replace('digits=1', 'digits=2'));
  writeFileSync('shop/new.py', 'def unused():\n    pass\n');
  console.log('I have edited the function.');
} else {
  const commits = execFileSync('git', ['log', '--all', '--format=%s'], { encoding: 'utf8' });
  note({ commits, option, prompt });
  if (mcpServers.locus) {
    const [, path, name] = /^`(.+)`\n1\. `(\S+)`/.exec(await locate()) ?? [];
    console.log(`{"edit": "${path}::${name}"}`);
  } else {
    run('rg -n rounded | head -n 1');
    console.log('The answer:\n{"edit": "shop/cart.py::Cart.total"}');
  }
}
