/** Transports messages as lines on two streams. It answers every message, and bounds the memory that a client can use. */
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** Maximum bytes of a message. It exceeds the limit of every tool, so that a long issue gets an error instead of a closed connection. */
export const MAX_MESSAGE_BYTES = 64_000_000;
/** Maximum bytes of queued messages. Beyond that, the client is not read until some are answered. */
export const MAX_WAITING_BYTES = 2 * MAX_MESSAGE_BYTES;

export const describeTooLarge = (bytes: number): string =>
  `The message has ${bytes} bytes; the maximum is ${MAX_MESSAGE_BYTES}. Send a smaller message.`;

/** Maximum number of requests in progress, and of bytes of answers that the client has not read. Other requests wait. */
const MAX_IN_FLIGHT = 16;
const MAX_UNREAD = 1_000_000;

const NEWLINE = 0x0a;
/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

interface WaitingRequest {
  message: JSONRPCRequest;
  bytes: number;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(MAX_MESSAGE_BYTES);
  #waiting: WaitingRequest[] = [];
  #waitingBytes = 0;
  readonly #inFlight = new Set<RequestId>();
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    this.#input.on('error', this.#onError);
    this.#input.on('end', this.#onEnd);
    this.#input.on('close', this.#onEnd);
    this.#output.on('error', this.#onError);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#inFlight.delete(message.id);
    await this.#write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting = [];
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #onEnd = () => void this.close();

  readonly #onError = (error: Error) => {
    if (!this.#isClosed) this.onerror?.(error);
    void this.close();
  };

  readonly #onData = (part: Buffer) => {
    for (const line of this.#lines.split(part)) {
      if (typeof line === 'number') this.#refuse(null, INVALID_REQUEST, describeTooLarge(line));
      else this.#accept(line);
    }
    this.#startNext();
  };

  #accept(line: Buffer): void {
    const text = line.toString();
    if (text.trim() === '') return;
    const message = parseJson(text);
    if (message === undefined) {
      this.#refuse(null, PARSE_ERROR, 'The message is not JSON. Send one JSON object a line.');
      return;
    }
    if (!isMessage(message)) {
      this.#refuse(readId(message), INVALID_REQUEST, 'The message is not JSON-RPC 2.0.');
      return;
    }
    if (isJSONRPCRequest(message) && !isSubscription(message)) {
      this.#waiting.push({ message, bytes: line.length });
      this.#waitingBytes += line.length;
      return;
    }
    // Responses and notifications do not queue: a request may wait for a response, and a cancellation takes effect at once.
    if (!this.#cancelQueued(message)) this.onmessage?.(message);
  }

  /** Handles a cancellation. Returns true if the request was still queued, and drops it. */
  #cancelQueued(message: JSONRPCMessage): boolean {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled')
      return false;
    const id = message.params?.requestId as RequestId;
    this.#inFlight.delete(id);
    const index = this.#waiting.findIndex((waiting) => waiting.message.id === id);
    if (index < 0) return false;
    const [dropped] = this.#waiting.splice(index, 1);
    this.#waitingBytes -= dropped?.bytes ?? 0;
    return true;
  }

  /** Starts the next requests and continues reading, if the client reads its answers. */
  #startNext(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT && this.#output.writableLength < MAX_UNREAD) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#waitingBytes -= next.bytes;
      this.#inFlight.add(next.message.id);
      this.onmessage?.(next.message);
    }
    const isFull =
      this.#waitingBytes > MAX_WAITING_BYTES || this.#output.writableLength > MAX_UNREAD;
    if (isFull || this.#isClosed) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    void this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((done) => this.#output.write(text, () => done()));
    this.#startNext();
  }
}

/** Splits a stream into lines. For a line above the maximum, it yields the number of bytes instead. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *split(part: Buffer): Generator<Buffer | number> {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      this.#append(part.subarray(from, end));
      from = end + 1;
      yield this.#bytes > this.#maxBytes ? this.#bytes : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#bytes = 0;
    }
    this.#append(part.subarray(from));
  }

  #append(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller reports it to the client.
    return undefined;
  }
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);

/** Returns true for a subscription, which stays open until it is cancelled. */
const isSubscription = ({ method }: JSONRPCRequest) => method === 'subscriptions/listen';

/** Returns the id of an invalid request; null if it has no valid id. */
function readId(value: unknown): RequestId | null {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null;
}
