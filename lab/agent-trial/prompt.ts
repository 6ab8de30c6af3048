/** Writes the task that an agent gets. It is the same in all arms, apart from the tools. */
import type { EvaluationInstance } from '../../src/services/evaluation/dataset.ts';
import type { ToolServer } from './tools.ts';

/** Lines about the shell and the tools. */
type ToolLines = readonly string[];

export function writePrompt(
  { repo, problem_statement }: EvaluationInstance,
  checkout: string,
  tools: ToolLines,
): string {
  return [
    '# Task',
    '',
    `The folder \`${checkout}\` has the code of ${repo} as it was when the issue below was written.`,
    'Find the functions, methods and classes that a fix of this issue edits. Tests do not count.',
    'Look only into this folder. Use neither the network nor what you may know about the fix.',
    'Stop as soon as you know the answer: each command and each line that you read is counted.',
    '',
    '# Answer',
    '',
    'Name the functions, the likeliest first, at most ten, one JSON object a line:',
    '',
    '{"edit": "src/shop/cart.py::Cart.total"}',
    '',
    'That is the path within the folder, `::`, and the name with the names of the definitions around it, joined by dots.',
    'You need not edit anything. If you do, the functions that you edited count, too.',
    '',
    '# Tools',
    '',
    ...tools,
    '',
    '# Issue',
    '',
    problem_statement.trim(),
    '',
  ].join('\n');
}

/** Describes the tools of an agent that starts the MCP server itself, and so knows what it offers. */
export const describeShell = (hasServer: boolean): ToolLines => [
  'A shell with `rg`, `git`, `sed` and the like.',
  ...(hasServer ? ['And the tools of the MCP server `locus`.'] : []),
];

/** Describes how an agent of the queue runs commands, and the tools of the server, as MCP would. */
export function describeQueue(run: string, answer: string, server: ToolServer | null): ToolLines {
  const locus = server && [
    '',
    `And the tools of the MCP server \`locus\`: \`${run} locus <tool> '<json arguments>'\`, or \`-\` to read the JSON from standard input.`,
    '',
    server.instructions,
    '',
    ...server.tools.map(
      ({ name, description, inputSchema }) =>
        `- \`${name}\`: ${description ?? ''}\n  arguments: ${JSON.stringify(inputSchema)}`,
    ),
  ];
  return [
    `A shell with \`rg\`, \`git\`, \`sed\` and the like. Run each command by \`${run} '<command>'\`, and nothing in any other way.`,
    'It runs in the folder and prints at most 30,000 characters.',
    `Write your answer to \`${answer}\` at the end.`,
    ...(locus ?? []),
  ];
}
