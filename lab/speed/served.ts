/** Opens windows of the engine that `locus serve` runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { ENGINE_PATH, ENGINE_PROTOCOL } from '../../src/shared/app-page.ts';
import { WindowClient } from '../million/window.ts';

/**
 * Starts `locus serve` and connects as its page does. Closing the window stops the server.
 *
 * @param command the program and arguments that start `locus`
 * @param allowedRoot folder that contains what is opened
 * @throws Error if the server ends before it listens
 */
export async function openServedWindow(
  command: readonly string[],
  dataDir: string,
  allowedRoot: string,
): Promise<WindowClient> {
  const serve = ['serve', '--no-open', '--port', '0', '--json', '--root', allowedRoot];
  const [program = '', ...args] = [...command, ...serve, '--data-dir', dataDir];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // A bench that fails leaves no server.
  const kill = () => server.kill();
  process.once('exit', kill);
  const ended = once(server, 'exit').finally(() => process.off('exit', kill));
  const [line] = await Promise.race([
    once(createInterface(server.stdout), 'line'),
    ended.then(([code]) => {
      throw new Error(`locus serve exited with code ${code}.`);
    }),
  ]);
  const { host, origin, searchParams } = new URL(JSON.parse(line).url);
  const protocols = [ENGINE_PROTOCOL, searchParams.get('token') ?? ''];
  const socket = new WebSocket(`ws://${host}${ENGINE_PATH}`, protocols, { origin });
  await once(socket, 'open');
  return new WindowClient(
    {
      post: (text) => socket.send(text),
      // An empty message keeps the connection alive.
      onMessage: (listener) =>
        socket.on('message', (data) => String(data) && listener(String(data))),
      onClose: (listener) => socket.on('close', listener),
      close: () => socket.close(),
    },
    async () => {
      socket.terminate();
      server.kill('SIGINT');
      await ended;
    },
  );
}
