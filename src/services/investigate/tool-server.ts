/** The server of Locus's tools, which the agent starts: `locus mcp` for one repository. It only reads. */
import type { ToolServer } from './conversation.ts';

export interface ToolServerOptions {
  /** Folder of the repository. */
  root: string;
  dataDirectory: string;
  /** Options that decide which index is read. */
  model?: string | undefined;
  device?: string | undefined;
  exclude?: readonly string[] | undefined;
}

/** Returns the command that serves the tools, from the program that runs now. */
export function createToolServer(
  { execPath, argv }: Pick<NodeJS.Process, 'execPath' | 'argv'>,
  { root, dataDirectory, model, device, exclude = [] }: ToolServerOptions,
): ToolServer {
  const [, entry = ''] = argv;
  return {
    command: execPath,
    args: [
      ...[entry, 'mcp', '--no-daemon', '--repo', root, '--data-dir', dataDirectory],
      ...(model === undefined ? [] : ['--model', model]),
      ...(device === undefined ? [] : ['--device', device]),
      ...exclude.flatMap((glob) => ['--exclude', glob]),
    ],
  };
}
