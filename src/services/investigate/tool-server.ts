/** The server of Locus's tools, which the agent starts: `locus mcp` for one repository. It only reads. */
import { realpathSync } from 'node:fs';
import { findProgram } from '../../base/programs.ts';
import { badInput } from '../../shared/errors.ts';
import type { ToolServer } from './conversation.ts';

/** Program, and its first arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

export interface ToolServerOptions {
  /** Folder of the repository. */
  root: string;
  dataDirectory: string;
  /** Options that decide which index is read. */
  model?: string | undefined;
  device?: string | undefined;
  exclude?: readonly string[] | undefined;
}

/**
 * Finds the `locus` command, for hosts that are no command themselves.
 * @throws LocusError `bad-input` if it is not on the PATH
 */
export function findCommandLine(env: Readonly<Record<string, string | undefined>>): CommandLine {
  const found = findProgram(['locus'], env, process.platform);
  if (found === null)
    throw badInput(
      'The agent needs the locus command, which is not on the PATH.',
      'Install the npm package of Locus, or use locus serve.',
    );
  return [realpathSync(found)];
}

/** Returns the command that serves the tools. @param commandLine program and arguments that run the `locus` command */
export function createToolServer(
  [command, ...first]: CommandLine,
  { root, dataDirectory, model, device, exclude = [] }: ToolServerOptions,
): ToolServer {
  return {
    command,
    args: [
      ...[...first, 'mcp', '--no-daemon', '--repo', root, '--data-dir', dataDirectory],
      ...(model === undefined ? [] : ['--model', model]),
      ...(device === undefined ? [] : ['--device', device]),
      ...exclude.flatMap((glob) => ['--exclude', glob]),
    ],
  };
}
