/** The messages that an agent writes, bounded in size and number: it may send without end, or send what is no message. */
import { Writable } from 'node:stream';
import { ReadableStream as NodeStream } from 'node:stream/web';
import {
  type AnyMessage,
  CLIENT_METHODS,
  ndJsonStream,
  type Stream,
} from '@agentclientprotocol/sdk';

import { EndpointFailure } from '../check/client.ts';

/** Maximum bytes of a message, and of all messages. */
const MAX_MESSAGE_BYTES = 8_000_000;
const MAX_TOTAL_BYTES = 64_000_000;
/** Maximum number of lines. Each may cause an answer, which waits in memory if the agent does not read. */
const MAX_LINES = 200_000;

const NEWLINE = 0x0a;

type Bytes = Uint8Array<ArrayBuffer>;

export interface ProtocolStreamOptions {
  /** Name of the agent, for messages. */
  host: string;
  /** Gets the parameters of each `session/update` as they are. The library would print those that do not match its schema. */
  onUpdate: (params: unknown) => void;
}

/** Connects to the standard streams of an agent. Reading fails with an `EndpointFailure` beyond the limits. */
export function createProtocolStream(
  { stdin, stdout }: { stdin: NodeJS.WritableStream; stdout: NodeJS.ReadableStream },
  { host, onUpdate }: ProtocolStreamOptions,
): Stream {
  // Not `Readable.toWeb`, which may throw an uncaught error if the agent still writes after the stream was cancelled.
  const chunks = NodeStream.from(stdout as AsyncIterable<Bytes>);
  const bytes = chunks as unknown as ReadableStream<Bytes>;
  const { readable, writable } = ndJsonStream(
    Writable.toWeb(stdin as Writable) as WritableStream<Uint8Array>,
    bytes.pipeThrough(limitBytes(host)),
  );
  const open = new Set<unknown>();
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && 'id' in message) open.add(message.id);
      controller.enqueue(message);
    },
  });
  // A failure of the pipe is one of the stream that is written to, too.
  outgoing.readable.pipeTo(writable).catch(() => {});
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === CLIENT_METHODS.session_update)
        onUpdate(message.params);
      // The library prints responses to requests that were never sent.
      else if ('method' in message || open.delete('id' in message ? message.id : undefined))
        controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(incoming), writable: outgoing.writable };
}

function limitBytes(host: string): TransformStream<Bytes, Bytes> {
  let total = 0;
  let lines = 0;
  let line = 0;
  return new TransformStream({
    transform(part, controller) {
      total += part.length;
      let start = 0;
      for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
        lines++;
        start = end + 1;
        line = 0;
      }
      line += part.length - start;
      if (line <= MAX_MESSAGE_BYTES && total <= MAX_TOTAL_BYTES && lines <= MAX_LINES)
        controller.enqueue(part);
      else
        controller.error(
          new EndpointFailure(
            `${host} sent more than an investigation needs.`,
            'Check that the program speaks the Agent Client Protocol.',
          ),
        );
    },
  });
}
