/** Messages as lines on two streams. Whatever a client sends, it is answered, and takes a bounded amount of memory. */
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

/** Bytes of a message: above what any tool takes, so that too long an issue is answered and does not end the connection. */
export const LARGEST_MESSAGE = 64_000_000;
/** Bytes of messages that wait. A client that sends more is not read until some are answered. */
export const MAX_WAITING = 2 * LARGEST_MESSAGE;

export const describeTooLarge = (bytes: number): string =>
  `The message has ${bytes} bytes, and the largest may have ${LARGEST_MESSAGE}. Send less at a time.`;

/** Requests that are worked on at a time, and bytes of answers that the client has not read; others wait. */
const MAX_IN_FLIGHT = 16;
const MAX_UNREAD = 1_000_000;

const NEWLINE = 0x0a;
/** Codes of JSON-RPC. */
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
  readonly #lines = new LineSplitter(LARGEST_MESSAGE);
  #waiting: WaitingRequest[] = [];
  #waitingBytes = 0;
  readonly #inFlight = new Set<RequestId>();
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read);
    this.#input.on('error', this.#fail);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
    this.#output.on('error', this.#fail);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#inFlight.delete(message.id);
    await this.#write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting = [];
    this.#input.off('data', this.#read);
    this.#input.off('end', this.#end);
    this.#input.off('close', this.#end);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #end = () => void this.close();

  readonly #fail = (error: Error) => {
    if (!this.#isClosed) this.onerror?.(error);
    void this.close();
  };

  readonly #read = (part: Buffer) => {
    for (const line of this.#lines.split(part)) {
      if (typeof line === 'number') this.#refuse(null, INVALID_REQUEST, describeTooLarge(line));
      else this.#take(line);
    }
    this.#proceed();
  };

  #take(line: Buffer): void {
    const text = line.toString();
    if (text.trim() === '') return;
    const message = parseJson(text);
    if (message === undefined) {
      this.#refuse(null, PARSE_ERROR, 'The message is not JSON. Send one object on a line.');
      return;
    }
    if (!isMessage(message)) {
      this.#refuse(readId(message), INVALID_REQUEST, 'The message is not of JSON-RPC 2.0.');
      return;
    }
    if (isJSONRPCRequest(message) && !isSubscription(message)) {
      this.#waiting.push({ message, bytes: line.length });
      this.#waitingBytes += line.length;
      return;
    }
    // A request can wait for a response of the client, and a cancellation is for now.
    if (!this.#cancels(message)) this.onmessage?.(message);
  }

  /** Drops a request that is cancelled before its turn; notes that another is answered no more. */
  #cancels(message: JSONRPCMessage): boolean {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled')
      return false;
    const id = message.params?.requestId as RequestId;
    this.#inFlight.delete(id);
    const at = this.#waiting.findIndex((waiting) => waiting.message.id === id);
    if (at < 0) return false;
    const [dropped] = this.#waiting.splice(at, 1);
    this.#waitingBytes -= dropped?.bytes ?? 0;
    return true;
  }

  /** Hands over the next requests, and reads on, as far as the client reads its answers. */
  #proceed(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT && this.#output.writableLength < MAX_UNREAD) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#waitingBytes -= next.bytes;
      this.#inFlight.add(next.message.id);
      this.onmessage?.(next.message);
    }
    const isFull = this.#waitingBytes > MAX_WAITING || this.#output.writableLength > MAX_UNREAD;
    if (isFull || this.#isClosed) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    void this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((done) => this.#output.write(text, () => done()));
    this.#proceed();
  }
}

/** Splits a stream into lines without their ends. Of a longer one only the number of its bytes is returned. */
export class LineSplitter {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  *split(part: Buffer): Generator<Buffer | number> {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      this.#append(part.subarray(from, end));
      from = end + 1;
      yield this.#bytes > this.#longest ? this.#bytes : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#bytes = 0;
    }
    this.#append(part.subarray(from));
  }

  #append(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#longest) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. The client is told.
    return undefined;
  }
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);

/** It is open until it is cancelled. */
const isSubscription = ({ method }: JSONRPCRequest) => method === 'subscriptions/listen';

/** The id of a request that is not one; null where a client could not have sent it. */
function readId(value: unknown): RequestId | null {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null;
}
