/** Tests a web server or bucket that is slow, lies or never ends: the call fails with an error that names it, and reads little. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { GuardedObjects } from '../../src/services/objects/guarded-objects.ts';
import type { ObjectStore } from '../../src/services/objects/objects.ts';
import { S3Objects } from '../../src/services/objects/s3-objects.ts';
import { WebObjects } from '../../src/services/objects/web-objects.ts';
import { pretendToBeSomebody } from '../fleet/moto.ts';
import {
  type Answer,
  drip,
  flood,
  type HostileServer,
  startHostileServer,
} from './hostile-server.ts';

/** Milliseconds: short for attacks that last forever, otherwise longer than needed. */
const STALL_MS = 300;
const PATIENCE_MS = 20_000;
const MIB = 2 ** 20;
const MOST = 512 * MIB;

interface Attack {
  answer: Answer;
  message: RegExp;
  /** True if only the stall limit ends it. */
  stalls?: boolean;
}

const BOMB = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 12 },
  (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`,
).join('')}]><Error><Code>&a11;</Code></Error>`;

const OK = { etag: '"x"' };

const ATTACKS: Record<string, Attack> = {
  'never answers': { answer: () => {}, message: /has stopped responding\./, stalls: true },
  'stops after a byte': {
    answer: (response) => response.writeHead(200, OK).write('{'),
    message: /has stopped responding\./,
    stalls: true,
  },
  drips: {
    answer: (response) => drip(response.writeHead(200, OK), '{', 20),
    message: /has stopped responding\./,
    stalls: true,
  },
  'drips headers': {
    answer: (response) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write('x-a: b\r\n'), 20);
      socket?.on('close', () => clearInterval(timer));
    },
    message: /has stopped responding\./,
    stalls: true,
  },
  'never ends': {
    answer: (response) => flood(response.writeHead(200, OK), Buffer.alloc(MIB, 'x'), MOST),
    message: /is larger than \d+ bytes\./,
  },
  'is shorter than it says': {
    answer: (response) => {
      response.writeHead(200, { ...OK, 'content-length': 100 }).write('short');
      setTimeout(() => response.destroy(), 10);
    },
    message: /cannot be read|could not be transferred/,
  },
  'answers with a login page': {
    answer: (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html>Sign in'),
    message: /returned a web page instead of an object of Locus\./,
  },
  'answers 200 with an error': {
    answer: (response) =>
      response.writeHead(200, OK).end('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'),
    message: /returned an XML document instead of an object of Locus\./,
  },
  'answers with an error without end': {
    answer: (response) =>
      flood(
        response.writeHead(400, { 'content-type': 'application/xml' }),
        Buffer.alloc(MIB, '<Error>'),
        MOST,
      ),
    message: /does not serve the objects|could not be transferred/,
  },
  'answers with an entity bomb': {
    answer: (response) => response.writeHead(400, { 'content-type': 'application/xml' }).end(BOMB),
    message: /does not serve the objects|could not be transferred/,
  },
  'always fails': {
    answer: (response) => response.writeHead(503).end(),
    message: /cannot be read|could not be transferred/,
  },
};

let server: HostileServer;
before(async () => {
  pretendToBeSomebody();
  server = await startHostileServer();
});
after(() => server.close());

const STORES: Record<string, () => ObjectStore> = {
  'a web server': () => new WebObjects(new URL(`${server.endpoint}/index/`)),
  'a bucket': () =>
    new S3Objects({ bucket: 'acme', prefix: '', endpoint: server.endpoint, region: 'us-east-1' }),
};

for (const [kind, open] of Object.entries(STORES)) {
  describe(`${kind} that`, () => {
    let objects: ObjectStore;
    beforeEach(() => {
      server.sent = 0;
      objects = open();
    });

    it('is sound is read', async () => {
      server.answer = (response) => response.writeHead(200, OK).end('content');
      const found = await new GuardedObjects(objects, PATIENCE_MS).get('a/b', { maxBytes: 7 });
      assert.equal(found?.bytes.toString(), 'content');
      objects.close();
    });

    for (const [what, { answer, message, stalls }] of Object.entries(ATTACKS)) {
      it(`${what} causes an error`, async () => {
        server.answer = answer;
        const memory = process.memoryUsage().arrayBuffers;
        const guarded = new GuardedObjects(objects, stalls ? STALL_MS : PATIENCE_MS);
        await assert.rejects(guarded.get('a/b', { maxBytes: MIB }), {
          code: 'bad-objects',
          message,
        });
        const read = process.memoryUsage().arrayBuffers - memory;
        assert.ok(server.sent < MOST / 2 && read < 100 * MIB, `${server.sent} sent, ${read} kept`);
        objects.close();
      });
    }

    it('stalls is abandoned as soon as the caller cancels', async () => {
      server.answer = () => cancelling.abort();
      const cancelling = new AbortController();
      const { signal } = cancelling;
      await assert.rejects(new GuardedObjects(objects).get('a/b', { signal }), {
        code: 'cancelled',
      });
      objects.close();
    });
  });
}
