/** The files of an attempt: checkout, prompt, commands, log, and what the agent printed and answered. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/base/programs.ts';
import { LOG_FILE, TRANSCRIPT_FILE } from './call-log.ts';
import { checkOutMain } from './limited-clone.ts';

const RUN_COMMAND = join(import.meta.dirname, 'run-command.ts');
const PROGRAM_LOG = join(import.meta.dirname, 'program-log.ts');
const SERVER_LOG = join(import.meta.dirname, 'server-log.ts');

/** Programs whose calls are logged if an agent finds them on the `PATH`. */
const PROGRAMS =
  'rg grep git cat sed awk head tail less nl wc find fd ls tree cut sort uniq diff strings xxd';

export class AttemptFolder {
  readonly folder: string;
  readonly checkout: string;
  readonly prompt: string;
  /** Command that runs a command of an agent of the queue. */
  readonly run: string;
  readonly answer: string;
  readonly log: string;
  /** Programs that come first on the agent's `PATH`. */
  readonly bin: string;
  /** MCP configuration for an agent that reads one. */
  readonly mcp: string;
  /** Program that starts the MCP server and logs its calls. */
  readonly server: string;
  readonly transcript: string;
  readonly errors: string;

  constructor(folder: string) {
    this.folder = folder;
    this.checkout = join(folder, 'checkout');
    this.prompt = join(folder, 'prompt.md');
    this.run = join(folder, 'run');
    this.answer = join(folder, 'answer.json');
    this.log = join(folder, LOG_FILE);
    this.bin = join(folder, 'bin');
    this.mcp = join(folder, 'mcp.json');
    this.server = join(folder, 'locus-server');
    this.transcript = join(folder, TRANSCRIPT_FILE);
    this.errors = join(folder, 'stderr.txt');
  }

  /** Makes the folder anew, with a fresh checkout. */
  make(source: string): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.bin, { recursive: true });
    checkOutMain(source, this.checkout);
  }

  /** Writes `run`, by which an agent of the queue runs commands. @param socket address of the tools; null for none */
  writeRun(socket: string | null): void {
    const { folder, checkout } = this;
    writeFileSync(join(folder, 'place.json'), JSON.stringify({ checkout, socket }));
    writeScript(this.run, [process.execPath, RUN_COMMAND, folder]);
    if (socket === null) return;
    const inner = [process.execPath, RUN_COMMAND, folder, '--inner', 'locus'];
    writeScript(join(this.bin, 'locus'), inner);
  }

  /** Writes programs that log their calls, and the MCP server's configuration. @param command that starts the server; null for none */
  writePrograms(command: readonly string[] | null): void {
    for (const program of PROGRAMS.split(' ')) {
      const real = findProgram([program], process.env, process.platform);
      const logged = [process.execPath, PROGRAM_LOG, this.log, real ?? ''];
      if (real !== null) writeScript(join(this.bin, program), logged);
    }
    const servers = command ? { locus: { type: 'stdio', command: this.server, args: [] } } : {};
    writeFileSync(this.mcp, JSON.stringify({ mcpServers: servers }));
    if (command) writeScript(this.server, [process.execPath, SERVER_LOG, this.log, ...command]);
  }

  removeCheckout(): void {
    rmSync(this.checkout, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Quotes a word for a POSIX shell. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Writes a program that runs a command with the arguments that it gets. */
function writeScript(path: string, command: readonly string[]): void {
  writeFileSync(path, `#!/bin/sh\nexec ${command.map(quoteWord).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
}
