/** Questions on the terminal, as many as a command has. */
import type { Host, Session } from './session.ts';

/** Whether somebody sits there who can answer. */
export const canAsk = ({ host, json }: Session): boolean =>
  host.stdin.isTTY === true && host.stderr.isTTY === true && !json;

/** Writes a question to standard error; answers the line that is typed, in lower case and without blanks around it. */
export async function ask({ stdin, stderr }: Host, question: string): Promise<string> {
  stderr.write(question);
  return (await nextLine(stdin)).trim().toLowerCase();
}

interface Reading {
  bytes: AsyncIterator<Uint8Array>;
  /** What came after the last line that was read. */
  rest: string;
}

/** One reading for all questions of a command: to end it ends standard input. */
const readings = new WeakMap<Host['stdin'], Reading>();

async function nextLine(stdin: Host['stdin']): Promise<string> {
  const reading = readings.get(stdin) ?? { bytes: stdin[Symbol.asyncIterator](), rest: '' };
  readings.set(stdin, reading);
  const decoder = new TextDecoder();
  stdin.ref?.();
  while (!reading.rest.includes('\n') && reading.rest.length <= MOST_CHARACTERS) {
    const { done, value } = await reading.bytes.next();
    if (done) break;
    reading.rest += decoder.decode(value, { stream: true });
  }
  // The command ends although nobody types any more.
  stdin.unref?.();
  const [line = '', ...more] = reading.rest.split('\n');
  reading.rest = more.join('\n');
  return line;
}

/** Of an answer. */
const MOST_CHARACTERS = 100;
