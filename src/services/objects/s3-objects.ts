/** Object storage in a bucket of Amazon S3 or a compatible server. */

import { addAbortSignal, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { throwIfCancelled } from '../../base/cancel.ts';
import { isRedirect } from '../../base/http.ts';
import { LocusError } from '../../shared/errors.ts';
import {
  checkKey,
  createObjectError,
  createTooLargeError,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  retryTransfer,
  type StoredObject,
} from './objects.ts';

export interface S3Location {
  bucket: string;
  /** Key prefix: empty, or with a trailing slash. */
  prefix: string;
  /** Address of a server other than Amazon's. */
  endpoint: string | null;
  region: string | null;
}

/** Time limits in milliseconds: to connect, without any byte, and for a whole request. */
const CONNECT_MS = 10_000;
const IDLE_MS = 60_000;
const REQUEST_MS = 120_000;

/** Maximum size in bytes of a response that is not an object. */
const MAX_ERROR_BYTES = 2 ** 20;

/** Uses the credentials that Amazon's own tools use: variables, files, single sign-on, or the machine's role. */
export class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #place: S3Location;
  readonly #client: S3Client;

  constructor(place: S3Location) {
    const { bucket, prefix, endpoint, region } = place;
    this.#place = place;
    this.name = `s3://${bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`;
    const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    const isCustomServer = Boolean(endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL);
    const named =
      region ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? (isCustomServer ? 'us-east-1' : null);
    this.#client = new S3Client({
      ...(endpoint && { endpoint }),
      ...(named && { region: named }),
      // Other servers have no host names for buckets, and may not support the newer checksums.
      forcePathStyle: isCustomServer,
      // Requests carry credentials, so a response must not change where they go.
      followRegionRedirects: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: IDLE_MS,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
      },
    });
    this.#client.middlewareStack.addRelativeTo(limitResponses, {
      name: 'limitResponses',
      relation: 'after',
      toMiddleware: 'deserializerMiddleware',
    });
  }

  async get(
    key: string,
    { maxBytes = MAX_OBJECT_BYTES, signal, onBytes }: GetOptions = {},
  ): Promise<StoredObject | null> {
    return this.#run(key, signal, (input) =>
      retryTransfer(signal, async () => {
        const answer = await this.#client
          .send(new GetObjectCommand(input), { abortSignal: signal })
          .catch(returnNullFor('NoSuchKey', 'NotFound'))
          .catch((error: unknown) => {
            // A retry would be redirected again.
            throw isRedirected(error) ? this.#failure(key, error) : error;
          });
        if (!answer) return null;
        const bytes: Uint8Array[] = [];
        let length = 0;
        for await (const part of readableBody(answer.Body, signal)) {
          length += part.length;
          onBytes?.(part.length);
          if (length > maxBytes) throw createTooLargeError(this.name, key, maxBytes);
          bytes.push(part);
        }
        if (answer.ContentLength !== undefined && length !== answer.ContentLength)
          throw new Error('The response is incomplete.');
        return { bytes: Buffer.concat(bytes), tag: answer.ETag ?? '' };
      }),
    );
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#run(key, signal, async (input) => {
      const answer = await this.#client
        .send(new HeadObjectCommand(input), { abortSignal: signal })
        .catch(returnNullFor('NotFound', 'NoSuchKey'));
      return answer && (answer.ContentLength ?? 0);
    });
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    const condition = expected === null ? { IfNoneMatch: '*' } : { IfMatch: expected };
    return this.#run(key, signal, async (place) => {
      const input = { ...place, ...condition, Body: bytes };
      for (;;) {
        throwIfCancelled(signal, `The transfer of ${key}`);
        try {
          const done = await this.#client.send(new PutObjectCommand(input), {
            abortSignal: signal,
          });
          return done.ETag ?? '';
        } catch (error) {
          if (isOneOf(error, ['ConditionalRequestConflict'])) continue;
          // If a tag is expected, the object may also have been removed.
          if (!isOneOf(error, ['PreconditionFailed', 'NoSuchKey'])) throw error;
          return await this.#findOwnWrite(key, bytes, error, signal);
        }
      }
    });
  }

  /** Checks whether a retried write had succeeded: if the connection was lost after the server stored the object, the retry fails. */
  async #findOwnWrite(
    key: string,
    bytes: Uint8Array,
    error: S3ServiceException,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    if ((error.$metadata.attempts ?? 1) === 1) return null;
    const stored = await this.get(key, { signal });
    return stored?.bytes.equals(bytes) ? stored.tag : null;
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#run(key, signal, (input) =>
      this.#client.send(new DeleteObjectCommand(input), { abortSignal: signal }),
    );
  }

  close(): void {
    this.#client.destroy();
  }

  async #run<T>(
    key: string,
    signal: AbortSignal | undefined,
    task: (place: { Bucket: string; Key: string }) => Promise<T>,
  ): Promise<T> {
    const { bucket, prefix } = this.#place;
    const place = { Bucket: bucket, Key: prefix + checkKey(key) };
    try {
      return await task(place);
    } catch (error) {
      throwIfCancelled(signal, `The transfer of ${key}`);
      throw error instanceof LocusError ? error : this.#failure(key, error);
    }
  }

  /** Creates an error without the server's message, which may quote credentials. */
  #failure(key: string, error: unknown): LocusError {
    const { name: code = '', message = '' } = error as Error;
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    const cause = CAUSES.find(
      ({ codes, of }) => codes.test(code) || (status !== undefined && of?.includes(status)),
    );
    if (cause)
      return createObjectError(`${this.name}: ${cause.what} (${toSafeCode(code)}).`, cause.remedy);
    if (/region is missing/i.test(message))
      return createObjectError(
        `${this.name}: no region is set.`,
        'Set AWS_REGION, or add ?region=… to the address.',
      );
    const said = toSafeCode((error as NodeJS.ErrnoException).code ?? code);
    return createObjectError(
      `${this.name}: ${key} could not be transferred (${said}).`,
      'Check the address and the network, then try again.',
    );
  }
}

/** Limits the size of every response but an object: the client reads errors completely, however long they are. */
const limitResponses =
  <Args, Result extends { response: unknown }>(next: (args: Args) => Promise<Result>) =>
  async (args: Args): Promise<Result> => {
    const result = await next(args);
    const { statusCode, body } = result.response as { statusCode?: number; body?: unknown };
    if (statusCode === 200 || !(body instanceof Readable)) return result;
    let bytes = 0;
    body.on('data', (part: Uint8Array) => {
      bytes += part.length;
      if (bytes > MAX_ERROR_BYTES) body.destroy(new Error('The error response is too long.'));
    });
    // Adding a listener starts the stream, but the client does not listen yet.
    body.pause();
    return result;
  };

/** Returns a stream of the body, which fails when the signal aborts. */
function readableBody(body: unknown, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  if (!(body instanceof Readable)) return Readable.from([]);
  return signal ? addAbortSignal(signal, body) : body;
}

const CAUSES: readonly { codes: RegExp; of?: number[]; what: string; remedy: string }[] = [
  {
    codes: /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed)$/,
    of: [301, 302, 303, 307, 308],
    what: 'the bucket is in another region or at another address, and redirects are not followed',
    remedy: 'Give both in the address: s3://bucket/prefix?region=…&endpoint=https://….',
  },
  {
    codes: /^(CredentialsProviderError|TokenProviderError)$/,
    what: 'no credentials were found on this machine',
    remedy: 'Sign in with aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  {
    codes: /^(NoSuchBucket|InvalidBucketName)$/,
    what: 'the bucket does not exist',
    remedy: 'Create the bucket, or correct its name.',
  },
  {
    codes: /^(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|AccessDenied|Forbidden)$/,
    of: [401, 403],
    what: 'the credentials do not allow this',
    remedy:
      'Use other credentials, or allow these to list and read objects under the prefix (and to write them, for publishing).',
  },
  {
    codes: /(Full|Quota|Insufficient|EntityTooLarge)/i,
    of: [507],
    what: 'the bucket is full',
    remedy: 'Increase its quota, remove old objects, or publish to another location.',
  },
];

/** Returns an error code if it looks like one: other text may quote credentials. */
const toSafeCode = (code: string): string => (/^\w{1,60}$/.test(code) ? code : 'unknown');

/** Returns true for an error with one of these names. Errors that come with a redirect don't count, since their text is not reliable. */
function isOneOf(error: unknown, names: readonly string[]): error is S3ServiceException {
  return error instanceof S3ServiceException && names.includes(error.name) && !isRedirected(error);
}

const isRedirected = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  isRedirect({ status: error.$metadata.httpStatusCode ?? 0 });

const returnNullFor =
  (...names: string[]) =>
  (error: unknown): null => {
    if (isOneOf(error, names)) return null;
    throw error;
  };
