/** Sends the requests of electron-updater through Node, since Chromium has no network in this app. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import {
  configureRequestOptions,
  configureRequestUrl,
  type DownloadOptions,
  HttpExecutor,
} from 'builder-util-runtime';
import { LocusError } from '../shared/errors.ts';
import { isLoopback } from '../shared/remote-url.ts';

/** Maximum sizes of the list of a release's files, and of one of them, in bytes. */
const MAX_LIST_BYTES = 1_000_000;
const MAX_FILE_BYTES = 2_000_000_000;
/** Maximum number of requests for one update, redirects included. electron-updater itself follows a loop of redirects for ever. */
const MAX_REQUESTS = 9;

/** Headers of each request. Those of electron-updater are dropped, since they contain an id of the user. */
const HEADERS = { accept: '*/*', 'user-agent': 'locus' };

export class UpdateRequests extends HttpExecutor<ClientRequest> {
  #count = 0;
  #maxBytes = MAX_LIST_BYTES;

  override createRequest(
    { protocol = 'https:', hostname, port, path }: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ): ClientRequest {
    this.#count++;
    if (this.#count > MAX_REQUESTS) throw refuse(`${hostname} redirects too often.`);
    if (protocol !== 'https:' && !isLoopback(hostname ?? ''))
      throw refuse(`${hostname} is not asked over ${protocol}, which is not encrypted.`);
    const maxBytes = this.#maxBytes;
    const { request } = protocol === 'https:' ? https : http;
    const sent = request({ protocol, hostname, port, path, headers: HEADERS }, (response) => {
      try {
        onResponse(response);
      } catch (error) {
        // A redirect that is refused. electron-updater reports the errors of requests only.
        sent.destroy(error as Error);
      }
      let bytes = 0;
      response.on('data', (part: Uint8Array | string) => {
        bytes += part.length;
        if (bytes > maxBytes) response.destroy(refuse(`The answer of ${hostname} is too large.`));
      });
    });
    return sent;
  }

  /** Downloads a file. electron-updater compares its digest. */
  async download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    this.#maxBytes = MAX_FILE_BYTES;
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request: RequestOptions = {};
      configureRequestUrl(url, request);
      configureRequestOptions(request);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      try {
        this.doDownload(
          request,
          { destination, options, onCancel, callback, responseHandler: null },
          0,
        );
      } catch (error) {
        reject(error as Error);
      }
    });
  }
}

const refuse = (message: string): LocusError =>
  new LocusError(
    'not-fetched',
    message,
    'Download the new version from the page with the releases.',
  );
