/** Asks questions on the terminal. */
import type { CliHost, Session } from './session.ts';

/** Returns true if a person at a terminal can answer. */
export const canAsk = ({ host, json }: Session): boolean =>
  host.stdin.isTTY === true && host.stderr.isTTY === true && !json;

/** Writes a question to standard error and returns the typed line, trimmed and in lower case. */
export async function ask(
  { stdin, stderr }: Pick<CliHost, 'stdin' | 'stderr'>,
  question: string,
): Promise<string> {
  stderr.write(question);
  return (await nextLine(stdin)).trim().toLowerCase();
}

interface Reading {
  bytes: AsyncIterator<Uint8Array>;
  /** Text after the last line that was returned. */
  rest: string;
}

/** Iterators over standard input. All questions of a command share one, because ending an iterator closes the stream. */
const readings = new WeakMap<CliHost['stdin'], Reading>();

async function nextLine(stdin: CliHost['stdin']): Promise<string> {
  const reading = readings.get(stdin) ?? { bytes: stdin[Symbol.asyncIterator](), rest: '' };
  readings.set(stdin, reading);
  const decoder = new TextDecoder();
  stdin.ref?.();
  while (!reading.rest.includes('\n') && reading.rest.length <= MAX_CHARACTERS) {
    const { done, value } = await reading.bytes.next();
    if (done) break;
    reading.rest += decoder.decode(value, { stream: true });
  }
  // Pending input must not keep the process running.
  stdin.unref?.();
  const [line = '', ...more] = reading.rest.split('\n');
  reading.rest = more.join('\n');
  return line;
}

/** Maximum length of an answer. */
const MAX_CHARACTERS = 100;
