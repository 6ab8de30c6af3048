/** Builds the commands for queries about one chunk: `locus <query> <dir> <function>`. */
import { Command } from 'commander';
import type { z } from 'zod';
import { assertPresent } from '../shared/assert-present.ts';
import {
  QUERIES,
  type QueryNameBy,
  type QueryRequest,
  type QueryResponse,
} from '../shared/queries.ts';
import { runQuery } from '../shared/repository.ts';
import { EXIT } from './exit-codes.ts';
import {
  parseInteger,
  type RepositoryCliOptions,
  withDaemonOption,
  withRepositoryOptions,
  withUpdatedRepository,
} from './options.ts';
import type { RunAction } from './session.ts';
import type { Colors } from './terminal.ts';

interface NumberOption {
  flags: string;
  text: string;
}

interface ChunkQuery<Name extends QueryNameBy<'chunk'>, Options> {
  examples: string;
  /** Number options by field of the request. Range and default come from its schema. */
  numbers: Partial<Record<keyof QueryRequest<Name>, NumberOption>>;
  switches?: Record<string, string>;
  /** Returns the fields of the request except the chunk. */
  toRequest(options: Options): Omit<QueryRequest<Name>, 'chunk'>;
  /** Returns the lines to print without `--json`. */
  render(response: QueryResponse<Name>, colors: Colors): string[];
}

export function chunkQueryCommand<Name extends QueryNameBy<'chunk'>, Options extends object>(
  run: RunAction,
  name: Name,
  { examples, numbers, switches = {}, toRequest, render }: ChunkQuery<Name, Options>,
): Command {
  const { request } = QUERIES[name];
  const command = withDaemonOption(withRepositoryOptions(new Command(name)))
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<function>', request.shape.chunk.description);
  const fields: Record<string, unknown> = request.shape;
  for (const [field, option] of Object.entries(numbers as Record<string, NumberOption>))
    addNumber(command, option, fields[field]);
  for (const [flag, text] of Object.entries(switches)) command.option(flag, text);
  return command
    .addHelpText('after', examples)
    .action((dir: string, chunk: string, options: Options & RepositoryCliOptions) =>
      run((session) =>
        withUpdatedRepository(session, dir, options, async (repository) => {
          const query = { chunk, ...toRequest(options) };
          const response: QueryResponse<Name> = await runQuery(repository, name, query);
          session.printResult(response, () => render(response, session.colors));
          return EXIT.ok;
        }),
      ),
    );
}

function addNumber(command: Command, { flags, text }: NumberOption, schema: unknown): void {
  const field = schema as z.ZodDefault<z.ZodInt>;
  const { minValue, maxValue } = field.unwrap();
  const min = assertPresent(minValue, 'the min value');
  const max = assertPresent(maxValue, 'the largest value');
  command.option(
    flags,
    `${text} (${min} to ${max})`,
    parseInteger(min, max),
    field.def.defaultValue,
  );
}
