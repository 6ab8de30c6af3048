/** Starts an S3-compatible server on loopback for tests: moto, from PyPI. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { serverProgram } from '../../scripts/fleet.ts';
import { freePort, killServer } from '../../scripts/server-process.ts';

export interface Moto {
  /** `http://127.0.0.1:port` */
  endpoint: string;
  port: number;
  makeBucket(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Sets credentials for the client. Any are accepted, unless the server is set to check them. */
export function pretendToBeSomebody(): void {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'secret-of-the-test';
  process.env.AWS_EC2_METADATA_DISABLED = 'true';
}

/** Starts a separate server, which keeps everything in memory. */
export async function startMoto(env: Record<string, string> = {}): Promise<Moto> {
  const port = await freePort();
  const server = spawn(serverProgram('moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(server, `${endpoint}/moto-api/`);
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  return {
    endpoint,
    port,
    makeBucket: async (name) => {
      await client.send(new CreateBucketCommand({ Bucket: name }));
    },
    stop: async () => {
      client.destroy();
      await killServer(server);
    },
  };
}

async function answers(server: ChildProcess, address: string): Promise<void> {
  for (;;) {
    assert.equal(server.exitCode, null, 'moto_server ended');
    const response = await fetch(address).catch(() => null);
    if (response) return;
    await sleep(100);
  }
}
