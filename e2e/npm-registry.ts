/** A registry of npm for tests: it serves tarballs to `npm install`, and records which ones were downloaded. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

interface PublishedVersion {
  name: string;
  version: string;
  tarball: string;
}

export class NpmRegistry {
  readonly #published: PublishedVersion[] = [];
  readonly #server = createServer(({ url = '' }, response) => {
    const [, name = '', file] = decodeURIComponent(url).split('/');
    const versions = this.#published.filter((one) => one.name === name);
    const found = versions.find(({ tarball }) => basename(tarball) === file);
    if (found) {
      this.downloads.push(`${found.name} ${found.version}`);
      response.end(readFileSync(found.tarball));
    } else if (versions.length > 0 && file === undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(this.#describe(name, versions)));
    } else {
      response.statusCode = 404;
      response.end('{}');
    }
  });
  /** Packages whose tarballs were downloaded, such as `locus-edit 0.1.0`. */
  readonly downloads: string[] = [];

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Publishes a tarball. The last version that is published is the latest. */
  publish(tarball: string): void {
    const { name, version } = readManifest(tarball);
    this.#published.push({ name, version, tarball });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #describe(name: string, versions: readonly PublishedVersion[]) {
    const described = versions.map(({ version, tarball }) => {
      const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
      const dist = { tarball: `${this.url}${name}/${basename(tarball)}`, integrity };
      return [version, { ...readManifest(tarball), dist }] as const;
    });
    return {
      name,
      'dist-tags': { latest: versions.at(-1)?.version },
      versions: Object.fromEntries(described),
    };
  }
}

function readManifest(tarball: string): { name: string; version: string } {
  const text = execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  return JSON.parse(text);
}
