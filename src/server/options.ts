import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { SessionOptions } from '../backend/session.ts';

export interface ServerOptions extends SessionOptions {
  /** Port to listen on; 0 for any free one. Default: 4747 or, if it is in use, any free one. */
  port?: number;
  /** Folder that contains all folders that can be opened. Default: the user's home folder. */
  allowedRoot?: string;
  rendererFolder?: string;
  /** Folders that agents can use at `/mcp`. Default: no agents. */
  mcp?: { folders: readonly string[]; revision?: string };
  /** Token that clients must send. Default: a new one. */
  token?: string;
}

/** Returns the options of the engine's session, without the token: they become arguments, which other users can see. */
export function getSessionOptions({
  port: _port,
  allowedRoot: _allowedRoot,
  rendererFolder: _rendererFolder,
  mcp: _mcp,
  token: _token,
  ...session
}: ServerOptions): SessionOptions {
  return session;
}

/** Returns the folder that contains all folders that can be opened. */
export const getAllowedRoot = ({ allowedRoot }: ServerOptions): string =>
  resolve(allowedRoot ?? homedir());
