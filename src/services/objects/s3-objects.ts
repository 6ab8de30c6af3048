/** Object storage in a bucket of S3, or of a server that speaks like it. */

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
  checkedKey,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  objectFailure,
  repeatTransfer,
  type StoredObject,
  tooLarge,
} from './objects.ts';

export interface S3Place {
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  /** Of a server that is not Amazon's. */
  endpoint: string | null;
  region: string | null;
}

/** Milliseconds. */
const TO_CONNECT = 10_000;
const WITHOUT_A_BYTE = 60_000;
const OF_A_REQUEST = 120_000;

/** Bytes of an answer that is not an object. */
const MAX_ERROR_BYTES = 2 ** 20;

/** Who it is, the client finds where Amazon's own tools do: variables, files, single sign-on, the machine's role. */
export class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #place: S3Place;
  readonly #client: S3Client;

  constructor(place: S3Place) {
    const { bucket, prefix, endpoint, region } = place;
    this.#place = place;
    this.name = `s3://${bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`;
    const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    const elsewhere = Boolean(endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL);
    const named = region ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? (elsewhere ? 'us-east-1' : null);
    this.#client = new S3Client({
      ...(endpoint && { endpoint }),
      ...(named && { region: named }),
      // Other servers have no names for their buckets' hosts, and not all of them know the newer checksums.
      forcePathStyle: elsewhere,
      // Requests carry credentials: no answer changes where they go.
      followRegionRedirects: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: TO_CONNECT,
        socketTimeout: WITHOUT_A_BYTE,
        requestTimeout: OF_A_REQUEST,
        throwOnRequestTimeout: true,
      },
    });
    this.#client.middlewareStack.addRelativeTo(boundAnswers, {
      name: 'boundAnswers',
      relation: 'after',
      toMiddleware: 'deserializerMiddleware',
    });
  }

  async get(
    key: string,
    { maxBytes = MAX_OBJECT_BYTES, signal, onBytes }: GetOptions = {},
  ): Promise<StoredObject | null> {
    return this.#told(key, signal, (input) =>
      repeatTransfer(signal, async () => {
        const answer = await this.#client
          .send(new GetObjectCommand(input), { abortSignal: signal })
          .catch(nullIf('NoSuchKey', 'NotFound'))
          .catch((error: unknown) => {
            // The next attempt would be redirected again.
            throw isRedirected(error) ? this.#failure(key, error) : error;
          });
        if (!answer) return null;
        const bytes: Uint8Array[] = [];
        let length = 0;
        for await (const part of readableBody(answer.Body, signal)) {
          length += part.length;
          onBytes?.(part.length);
          if (length > maxBytes) throw tooLarge(this.name, key, maxBytes);
          bytes.push(part);
        }
        if (answer.ContentLength !== undefined && length !== answer.ContentLength)
          throw new Error('the answer is not whole');
        return { bytes: Buffer.concat(bytes), tag: answer.ETag ?? '' };
      }),
    );
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#told(key, signal, async (input) => {
      const answer = await this.#client
        .send(new HeadObjectCommand(input), { abortSignal: signal })
        .catch(nullIf('NotFound', 'NoSuchKey'));
      return answer && (answer.ContentLength ?? 0);
    });
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    const condition = expected === null ? { IfNoneMatch: '*' } : { IfMatch: expected };
    return this.#told(key, signal, async (place) => {
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
          // One that expects a tag may also find that there is nothing any more.
          if (!isOneOf(error, ['PreconditionFailed', 'NoSuchKey'])) throw error;
          return await this.#mayBeOurs(key, bytes, error, signal);
        }
      }
    });
  }

  /** Where a connection was cut after the server had stored what was sent, the second attempt finds what the first one wrote. */
  async #mayBeOurs(
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
    await this.#told(key, signal, (input) =>
      this.#client.send(new DeleteObjectCommand(input), { abortSignal: signal }),
    );
  }

  close(): void {
    this.#client.destroy();
  }

  async #told<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (place: { Bucket: string; Key: string }) => Promise<T>,
  ): Promise<T> {
    const { bucket, prefix } = this.#place;
    const place = { Bucket: bucket, Key: prefix + checkedKey(key) };
    try {
      return await work(place);
    } catch (error) {
      throwIfCancelled(signal, `The transfer of ${key}`);
      throw error instanceof LocusError ? error : this.#failure(key, error);
    }
  }

  /** None of it is in the server's words, which may quote who asked. */
  #failure(key: string, error: unknown): LocusError {
    const { name: code = '', message = '' } = error as Error;
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    const cause = CAUSES.find(
      ({ codes, of }) => codes.test(code) || (status !== undefined && of?.includes(status)),
    );
    if (cause) return objectFailure(`${this.name}: ${cause.what} (${codeOf(code)})`, cause.remedy);
    if (/region is missing/i.test(message))
      return objectFailure(
        `${this.name}: which region is not said`,
        'set AWS_REGION, or add ?region=… to the address',
      );
    const said = codeOf((error as NodeJS.ErrnoException).code ?? code);
    return objectFailure(
      `${this.name}: ${key} could not be transferred (${said})`,
      'check the address and the network and try again',
    );
  }
}

/** Bounds every body but that of an object: the client reads errors whole, however long they are. */
const boundAnswers =
  <Args, Result extends { response: unknown }>(next: (args: Args) => Promise<Result>) =>
  async (args: Args): Promise<Result> => {
    const result = await next(args);
    const { statusCode, body } = result.response as { statusCode?: number; body?: unknown };
    if (statusCode === 200 || !(body instanceof Readable)) return result;
    let bytes = 0;
    body.on('data', (part: Uint8Array) => {
      bytes += part.length;
      if (bytes > MAX_ERROR_BYTES) body.destroy(new Error('the error is too long'));
    });
    // The client has yet to listen.
    body.pause();
    return result;
  };

/** Returns a body that ends with an error when the signal aborts. */
function readableBody(body: unknown, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  if (!(body instanceof Readable)) return Readable.from([]);
  return signal ? addAbortSignal(signal, body) : body;
}

const CAUSES: readonly { codes: RegExp; of?: number[]; what: string; remedy: string }[] = [
  {
    codes: /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed)$/,
    of: [301, 302, 303, 307, 308],
    what: 'the bucket is in another region or at another address, and redirects are not followed',
    remedy: 'give both in the address: s3://bucket/prefix?region=…&endpoint=https://…',
  },
  {
    codes: /^(CredentialsProviderError|TokenProviderError)$/,
    what: 'there are no credentials for it here',
    remedy: 'sign in with aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  },
  {
    codes: /^(NoSuchBucket|InvalidBucketName)$/,
    what: 'there is no such bucket',
    remedy: 'make it, or correct its name',
  },
  {
    codes: /^(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|AccessDenied|Forbidden)$/,
    of: [401, 403],
    what: 'the credentials that are set here may not do that',
    remedy:
      'give others, or let these read (and, to publish, write) objects under the prefix and list them',
  },
  {
    codes: /(Full|Quota|Insufficient|EntityTooLarge)/i,
    of: [507],
    what: 'the bucket has no room for more',
    remedy: 'give it more, remove what is old, or publish to another place',
  },
];

/** A word that a program made, and no more. */
const codeOf = (code: string): string => (/^\w{1,60}$/.test(code) ? code : 'unknown');

/** True for an error of one of these names, unless it came with a redirect, whose words do not count. */
function isOneOf(error: unknown, names: readonly string[]): error is S3ServiceException {
  return error instanceof S3ServiceException && names.includes(error.name) && !isRedirected(error);
}

const isRedirected = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  isRedirect({ status: error.$metadata.httpStatusCode ?? 0 });

const nullIf =
  (...names: string[]) =>
  (error: unknown): null => {
    if (isOneOf(error, names)) return null;
    throw error;
  };
