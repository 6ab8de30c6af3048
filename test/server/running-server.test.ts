import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { findRunningServer, recordServer } from '../../src/services/running-server.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const MODULE = new URL('../../src/services/running-server.ts', import.meta.url).href;

describe('the server that opens a deep link', () => {
  let folder: string;
  let dataDir: string;
  let server: RunningServer;
  before(async () => {
    folder = temporaryFolder();
    dataDir = join(folder, 'data');
    writeFiles(join(folder, 'pages'), { 'index.html': '<!doctype html><title>Locus</title>' });
    const rendererFolder = join(folder, 'pages');
    server = await startServer({ port: 0, dataDir, allowedRoot: folder, rendererFolder });
  });
  after(async () => {
    await server.close();
    removeFolder(folder);
  });

  it('is the running one', async () => {
    assert.equal(await findRunningServer(dataDir), server.url);
  });

  it('is another running one if the latest has stopped', async () => {
    const script = `
      const { recordServer, removeServerRecord } = await import(process.argv[1]);
      recordServer('http://127.0.0.1:1/?token=abc', process.argv[2]);
      removeServerRecord(process.argv[2]);`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script, MODULE, dataDir]);
    assert.equal(await findRunningServer(dataDir), server.url);
  });

  it('leaves no file behind when it is killed', async () => {
    const noted = () => readdirSync(join(dataDir, 'servers'));
    const before = noted();
    const script = `
      const { recordServer } = await import(process.argv[1]);
      recordServer('http://127.0.0.1:1/?token=abc', process.argv[2]);
      process.kill(process.pid, 'SIGKILL');`;
    spawnSync(process.execPath, ['--input-type=module', '-e', script, MODULE, dataDir]);
    assert.equal(noted().length, before.length + 1);
    assert.equal(await findRunningServer(dataDir), server.url);
    assert.deepEqual(noted(), before);
  });

  it('is not one whose process or port now belongs to something else', async () => {
    const others = createServer((_, response) => response.end('not Locus'));
    await new Promise<void>((done) => others.listen(0, '127.0.0.1', done));
    const { port } = others.address() as AddressInfo;
    const address = (at: number) => `http://127.0.0.1:${at}/?token=abc`;
    // The record of a killed server whose process id now belongs to this process.
    for (const url of [address(port), address(1), address(server.port)]) {
      recordServer(url, dataDir);
      assert.equal(await findRunningServer(dataDir), null, url);
    }
    others.closeAllConnections();
    await new Promise((done) => others.close(done));
  });
});
