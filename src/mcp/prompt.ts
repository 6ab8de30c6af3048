import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** `locate_issue`: what a person picks from a menu to have an issue's place found. */
export function registerPrompt(server: McpServer): void {
  server.registerPrompt(
    'locate_issue',
    {
      title: 'Find where to edit for an issue',
      description: 'Locates the functions that a fix of an issue would edit, and reads them.',
      argsSchema: z.object({
        issue: z.string().min(1).describe('The text of the issue'),
        repository: z.string().optional().describe('Its name or path, where there are several'),
      }),
    },
    ({ issue, repository }) => {
      const where = repository === undefined ? '' : ` with \`repository\` “${repository}”`;
      const text =
        `Call \`locate\` with the issue below${where}, then \`read\` the results whose reasons fit. Say which functions are to be edited and why, ` +
        `and what speaks against it. Edit nothing yet.\n\n<issue>\n${issue}\n</issue>`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
