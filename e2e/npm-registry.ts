/** A registry of npm for tests: it serves tarballs to `npm install`, takes those of `npm publish`, and records both. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { json } from 'node:stream/consumers';

interface PublishedVersion {
  name: string;
  version: string;
  file: string;
  /** Null if the registry only describes the package. */
  bytes: Buffer | null;
  manifest: object;
}

/** Body of a request of `npm publish`. */
interface Upload {
  name: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, { version: string }>;
  _attachments: Record<string, { data: string }>;
}

/** Path of a package's description or tarball: `/@scope/name/file.tgz`. */
const PATH = /^\/((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/;

export class NpmRegistry {
  readonly #published: PublishedVersion[] = [];
  readonly #server = createServer(async (request, response) => {
    const { url = '', method } = request;
    const [, name = '', file] = PATH.exec(decodeURIComponent(url)) ?? [];
    const versions = this.#published.filter((one) => one.name === name);
    const found = versions.find((one) => one.file === file);
    if (method === 'PUT') {
      this.#accept((await json(request)) as Upload);
      response.end('{}');
    } else if (found?.bytes) {
      this.downloads.push(`${found.name} ${found.version}`);
      response.end(found.bytes);
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
  /** Packages that `npm publish` sent, such as `locus-edit 0.1.0 latest`, in order. */
  readonly uploads: string[] = [];

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Publishes a tarball. The last version that is published is the latest. */
  publish(tarball: string): void {
    const manifest = readManifest(tarball);
    const { name, version } = manifest;
    const bytes = readFileSync(tarball);
    this.#published.push({ name, version, file: basename(tarball), bytes, manifest });
  }

  /** Describes a package whose tarball cannot be downloaded. */
  describe(name: string, version: string): void {
    const manifest = { name, version };
    this.#published.push({ name, version, file: 'missing.tgz', bytes: null, manifest });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept({ name, versions, _attachments, ...upload }: Upload): void {
    const [manifest] = Object.values(versions);
    const [[file, { data }]] = Object.entries(_attachments);
    const { version } = manifest;
    this.#published.push({ name, version, file, bytes: Buffer.from(data, 'base64'), manifest });
    this.uploads.push(`${name} ${version} ${Object.keys(upload['dist-tags'])}`);
  }

  #describe(name: string, versions: readonly PublishedVersion[]) {
    const described = versions.map(({ version, file, bytes, manifest }) => {
      const integrity = `sha512-${createHash('sha512')
        .update(bytes ?? '')
        .digest('base64')}`;
      const dist = { tarball: `${this.url}${name}/${file}`, integrity };
      return [version, { ...manifest, dist }] as const;
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
