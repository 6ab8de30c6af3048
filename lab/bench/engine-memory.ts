/**
 * Measures the memory of the window's engine, in the process that the app forks: `node lab/bench/engine-memory.ts <folder>
 * <data directory> <file of an issue> [--minutes <minutes>]`. Indexes the folder if necessary, searches it, and waits for a
 * minute or for `--minutes`. After eleven minutes without searches and edits the engine has released all that it releases when
 * idle. Runs on Linux only, since it reads /proc.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ToEngine } from '../../src/backend/messages.ts';
import { forkEngine } from '../../src/server/child.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';

const MINUTE_MS = 60_000;
const LOOK_MS = 1_000;
const CLIENT = 'bench';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '1' } },
});
const [root, dataDir, file] = positionals;
if (!root || !dataDir || !file) {
  console.error(
    'usage: npx node lab/bench/engine-memory.ts <folder> <data directory> <file of an issue> [--minutes <minutes>]',
  );
  process.exit(2);
}
const engine = forkEngine({ dataDir, device: 'cpu' });
const send = (message: ToEngine) => engine.send(message);
const client = new RpcClient<EngineMethods, Events>();
client.attach({
  post: (text) => send({ type: 'message', client: CLIENT, text }),
  onMessage: (listener) => engine.onMessage(({ text }) => listener(text)),
  onClose: (listener) => engine.onExit(listener),
  close: engine.kill,
});
send({ type: 'connect', client: CLIENT, allowedRoot: null });

const { id: repository } = await client.call('repository.open', { root });
let status = await client.call('status', { repository, request: {} });
while (status.state !== 'complete') {
  await sleep(LOOK_MS);
  status = await client.call('status', { repository, request: {} });
}
console.log(`${status.chunks.toLocaleString('en')} chunks in ${status.files} files`);
report('indexed or opened');
const issue = readFileSync(file, 'utf8');
await search('searched');
await sleep(Number(values.minutes) * MINUTE_MS);
report(`idle, ${values.minutes} min`);
await search('searched again');
engine.stop();

async function search(when: string): Promise<void> {
  const start = performance.now();
  await client.call('search', { repository, request: { issue } });
  report(`${when} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

function report(when: string): void {
  const text = readFileSync(`/proc/${engine.pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(text)?.[1]) / 1024);
  console.log(`${when.padEnd(24)} ${megabytes('VmRSS')} MB, peak ${megabytes('VmHWM')} MB`);
}
