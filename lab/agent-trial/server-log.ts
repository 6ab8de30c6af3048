/** Starts an MCP server, passes messages through, and logs each call of a tool: `node server-log.ts <log> <command …>` */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { INNER, logCall } from './call-log.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; arguments?: unknown };
  result?: { content?: { text?: string }[]; structuredContent?: unknown };
  error?: unknown;
}

const [log = '', program = '', ...args] = process.argv.slice(2);
const env = { ...process.env, [INNER]: '1' };
const server = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
const started = new Map<string | number, { at: number; tool: string; args: string }>();

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {}; // Only the two sides have to understand it.
  }
}

/** Counts what a model gets: the text, or the JSON if there is no text. */
function countBytes({ result, error }: Message): number {
  const text = (result?.content ?? []).map((part) => part.text ?? '').join('\n');
  return Buffer.byteLength(text || JSON.stringify(result?.structuredContent ?? error ?? ''));
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = parse(line);
    if (method === 'tools/call' && id !== undefined) {
      const call = { tool: `locus ${params?.name}`, args: JSON.stringify(params?.arguments ?? {}) };
      started.set(id, { at: Date.now(), ...call });
    }
    server.stdin.write(`${line}\n`);
  })
  .once('close', () => server.stdin.end());
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = parse(line);
  const call = message.id === undefined ? undefined : started.get(message.id);
  if (call && message.method === undefined) {
    logCall(log, { ...call, bytes: countBytes(message), ms: Date.now() - call.at });
    started.delete(message.id as string | number);
  }
  process.stdout.write(`${line}\n`);
});
server.stdin.on('error', () => {}); // It has ended, which its exit says.
server.once('error', () => process.exit(127));
server.once('exit', (code) => process.exit(code ?? 1));
