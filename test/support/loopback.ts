/** Starts hosts on this machine that record all requests, over HTTP and HTTPS. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { removeFolder, temporaryFolder } from './repository.ts';

export interface Certificate {
  key: string;
  cert: string;
}

/** Request with its complete body. */
export interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Respond = (heard: Heard, response: ServerResponse) => unknown;

export interface LoopbackHost {
  /** `https://127.0.0.1:4711` */
  origin: string;
  /** `127.0.0.1:4711` */
  host: string;
  heard: Heard[];
  /** Returns the number of connections so far, including those without a request. */
  connections(): number;
  close(): Promise<void>;
}

/** Makes a certificate for 127.0.0.1 and localhost with openssl. */
export function makeCertificate(): Certificate {
  const folder = temporaryFolder('locus-certificate-');
  const path = (name: string) => join(folder, name);
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
        ...['-keyout', path('key'), '-out', path('cert')],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(path('key'), 'utf8'), cert: readFileSync(path('cert'), 'utf8') };
  } finally {
    removeFolder(folder);
  }
}

/** Makes this process trust a certificate. Returns a function that undoes it. */
export function trust({ cert }: Certificate): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  return () => setDefaultCACertificates(before);
}

/** Listens on a free port of 127.0.0.1; over HTTPS if there is a certificate. */
export async function startLoopbackHost(
  respond: Respond,
  certificate?: Certificate,
): Promise<LoopbackHost> {
  const heard: Heard[] = [];
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request;
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const one = { method, url, headers, body: Buffer.concat(parts) };
    heard.push(one);
    await respond(one, response);
  };
  const server: Server = certificate
    ? createSecureServer(certificate, listener)
    : createServer(listener);
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `${certificate ? 'https' : 'http'}://${host}`,
    host,
    heard,
    connections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** Writes an answer exactly as given, even one that Node's server would refuse to write, and closes the connection. */
export function respondRaw(
  response: ServerResponse,
  status: number,
  lines: readonly string[],
  body = '',
): void {
  const head = [
    `HTTP/1.1 ${status} Test`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...lines,
  ];
  response.socket?.end(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
}
