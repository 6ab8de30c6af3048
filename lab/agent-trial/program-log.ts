/** Runs a program, passes everything through, and logs the call: `node program-log.ts <log> <program> [argument …]` */
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { INNER, logCall } from './call-log.ts';

/** Returns the id of the pipe at a file descriptor; undefined for anything else. */
function getPipe(descriptor: number): number | undefined {
  try {
    const status = fstatSync(descriptor);
    return status.isFIFO() ? status.ino : undefined;
  } catch {
    return undefined; // It is closed.
  }
}

const [log = '', program = '', ...args] = process.argv.slice(2);
const at = Date.now();
const from = getPipe(0);
const to = getPipe(1);
const isInner = process.env[INNER] !== undefined;
const env = { ...process.env, [INNER]: '1' };
const child = spawn(program, args, { env, stdio: ['inherit', 'pipe', 'inherit'] });
let bytes = 0;
child.stdout.on('data', (piece: Buffer) => {
  bytes += piece.length;
  if (!process.stdout.write(piece)) {
    child.stdout.pause();
    process.stdout.once('drain', () => child.stdout.resume());
  }
});
// The reader has seen enough, such as `head`.
process.stdout.on('error', () => child.kill());
child.once('error', () => process.exit(127));
child.once('close', (code) => {
  const pipes = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const call = { at, tool: basename(program), args: args.join(' '), bytes, ms: Date.now() - at };
  try {
    if (!isInner) logCall(log, { ...call, ...pipes });
  } catch {
    // The agent's sandbox cannot write there. The command itself has worked.
  }
  process.exitCode = code ?? 1;
});
