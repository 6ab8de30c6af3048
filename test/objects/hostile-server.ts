/** A server on loopback that answers as a test says: slowly, wrongly, endlessly. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface HostileServer {
  /** `http://127.0.0.1:port` */
  endpoint: string;
  /** Bytes of bodies written so far. */
  sent: number;
  answer: Answer;
  close(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const server = createServer((request, response) => {
    const { write, end } = response;
    const count = (chunk: unknown) => {
      hostile.sent += chunk instanceof Uint8Array || typeof chunk === 'string' ? chunk.length : 0;
    };
    response.write = function (this: ServerResponse, ...args: unknown[]) {
      count(args[0]);
      return Reflect.apply(write, this, args);
    } as typeof write;
    response.end = function (this: ServerResponse, ...args: unknown[]) {
      count(args[0]);
      return Reflect.apply(end, this, args);
    } as typeof end;
    response.on('error', () => {});
    hostile.answer(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hostile: HostileServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: 0,
    answer: (response) => response.end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hostile;
}

/** Writes until the connection is closed, up to a limit that no reader should reach. */
export function flood(response: ServerResponse, chunk: Buffer, most: number): void {
  let left = most;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return response.once('drain', more);
    }
    return response.end();
  };
  more();
}

/** Writes one byte at a time, with pauses, until the connection is closed. */
export function drip(response: ServerResponse, byte: string, everyMs: number): void {
  const timer = setInterval(() => response.write(byte), everyMs);
  response.on('close', () => clearInterval(timer));
}
