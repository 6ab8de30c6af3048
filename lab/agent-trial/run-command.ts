/**
 * Runs one command of an agent in its checkout, logs it, and prints what it printed: `node run-command.ts <attempt> [--inner] <command …>`
 *
 * `locus <tool> '<json arguments>'` calls a tool; for `-` they are read from standard input. With `--inner` the call is part of a logged command line.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { killGroup } from '../../src/base/kill-group.ts';
import { LOG_FILE, logCall, TRANSCRIPT_FILE } from './call-log.ts';
import { callTool } from './tool-socket.ts';

/** Maximum number of characters that a command prints. */
const MAX_OUTPUT = 30_000;
const MAX_COLLECTED = 50_000_000;
const TIMEOUT_MS = 120_000;

interface Output {
  text: string;
  code: number;
}

/** Files of an attempt that a command needs. */
interface Place {
  checkout: string;
  /** Address of the tools; null in an arm without tools. */
  socket: string | null;
}

async function runTool({ socket }: Place, [tool, json = '{}']: readonly string[]): Promise<Output> {
  if (socket === null) return { text: 'locus: command not found\n', code: 127 };
  if (tool === undefined) return { text: "usage: locus <tool> '<json arguments>'\n", code: 2 };
  try {
    const given = json === '-' ? await readAll(process.stdin) : json;
    const args = JSON.parse(given) as Record<string, unknown>;
    const { text, isError } = await callTool(socket, { tool, args });
    return { text: `${text}\n`, code: isError ? 1 : 0 };
  } catch (error) {
    return { text: `locus: ${(error as Error).message}\n`, code: 2 };
  }
}

function runShell(folder: string, { checkout }: Place, line: string): Promise<Output> {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const path = [join(folder, 'bin'), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(shell, ['-c', line], {
    cwd: checkout,
    detached: true,
    env: { ...process.env, PATH: path, GIT_PAGER: 'cat', PAGER: 'cat' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const collect = (piece: string) => {
    text += piece;
    if (text.length > MAX_COLLECTED) killGroup(child);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const timer = setTimeout(() => {
    text += `\nstopped after ${TIMEOUT_MS / 1000} seconds\n`;
    killGroup(child);
  }, TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      killGroup(child);
      resolve({ text, code: code ?? 1 });
    });
  });
}

/** Cuts text to what an agent may read at once, and says how much is missing. */
function cutOutput(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  return `${text.slice(0, MAX_OUTPUT)}\n… ${text.length - MAX_OUTPUT} more characters\n`;
}

const [folder = '', ...rest] = process.argv.slice(2);
const isInner = rest[0] === '--inner';
const words = isInner ? rest.slice(1) : rest;
if (words.length === 0) {
  console.error("usage: ./run '<command>'");
  process.exit(2);
}
const place = JSON.parse(readFileSync(join(folder, 'place.json'), 'utf8')) as Place;
const at = Date.now();
const isTool = words[0] === 'locus' && (isInner || words.length > 1);
const { text, code } = isTool
  ? await runTool(place, words.slice(1))
  : await runShell(folder, place, words.join(' '));
const printed = isInner ? text : cutOutput(text);
if (!isInner) {
  const tool = isTool ? `locus ${words[1]}` : 'sh';
  const args = (isTool ? words.slice(2) : words).join(' ');
  const bytes = Buffer.byteLength(printed);
  logCall(join(folder, LOG_FILE), { at, tool, args, bytes, ms: Date.now() - at });
  appendFileSync(join(folder, TRANSCRIPT_FILE), `$ ${words.join(' ')}\n${printed}\n`);
}
process.stdout.write(printed);
process.exitCode = code;
