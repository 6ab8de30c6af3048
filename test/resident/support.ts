import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { FrameSocket } from '../../src/base/frame-socket.ts';
import { connectEngine, type EngineConnection } from '../../src/services/resident/connect.ts';
import { EngineEndpoint } from '../../src/services/resident/endpoint.ts';
import { greetEngine } from '../../src/services/resident/handshake.ts';
import { findPlace } from '../../src/services/resident/place.ts';
import type { ResidentMethods } from '../../src/services/resident/protocol.ts';
import type { IndexReport } from '../../src/shared/indexing.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

export const NAME = 'tests';

export const REPORT = { files: 1, chunks: 2, notes: [] } as unknown as IndexReport;

/** Answers of an engine that has nothing open. */
export function fakeMethods(more: Partial<ResidentMethods> = {}): ResidentMethods {
  return {
    index: async () => REPORT,
    query: async ({ name, request }) => ({ name, request }),
    handOver: () => false,
    describe: () => ({ pid: 1, roots: [] }),
    stop: () => false,
    ...more,
  };
}

/** A data directory of a test. */
export function dataDirectory(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

export interface Serving {
  data: string;
  endpoint: EngineEndpoint;
}

export async function serve(
  t: TestContext,
  methods = fakeMethods(),
  greetingMs?: number,
): Promise<Serving> {
  const data = dataDirectory(t);
  const endpoint = await EngineEndpoint.open(data, NAME, methods, greetingMs);
  if (!endpoint) throw new Error('The place is taken.');
  t.after(() => endpoint.close());
  return { data, endpoint };
}

/** Connects as a command does. */
export async function ask(t: TestContext, data: string): Promise<EngineConnection> {
  const connection = await connectEngine(data, NAME);
  if (!connection) throw new Error('The engine does not answer.');
  t.after(() => connection.close());
  return connection;
}

/** Connects and proves itself, for messages that no command sends. */
export async function greet({ data, endpoint }: Serving): Promise<FrameSocket> {
  const socket = connect(endpoint.address);
  socket.on('error', () => {});
  const frames = new FrameSocket(socket, 1_000_000);
  const place = findPlace(data, NAME);
  if (!place) throw new Error('There is no engine.');
  await greetEngine(frames, place);
  return frames;
}

/** Resolves when the other end has closed a connection. */
export async function ended({ socket }: Pick<FrameSocket, 'socket'>): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}
