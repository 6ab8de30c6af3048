/** Passes tool calls of `run-command.ts` to the server that stays up for an attempt, over a local socket. */
import { createServer, connect as openSocket, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ToolAnswer, ToolServer } from './tools.ts';

interface ToolRequest {
  tool: string;
  args: Record<string, unknown>;
}

/** Answers calls at a socket until it is closed. */
export function serveTools(path: string, tools: ToolServer): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}); // The command was killed.
    const answer = async () => {
      const { tool, args } = JSON.parse(await text(socket)) as ToolRequest;
      socket.end(JSON.stringify(await tools.call(tool, args)));
    };
    answer().catch(() => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

/** Calls a tool over the socket. @throws if the attempt is over */
export async function callTool(path: string, request: ToolRequest): Promise<ToolAnswer> {
  const socket = openSocket({ path, allowHalfOpen: true });
  socket.end(JSON.stringify(request));
  return JSON.parse(await text(socket)) as ToolAnswer;
}
