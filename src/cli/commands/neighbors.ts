import { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { renderNeighborhood } from '../neighborhood.ts';
import { integer, openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';

const EXAMPLES = `
Examples:
  locus neighbors . parse_cookie                     who calls it, what it calls
  locus neighbors . parse_cookie --callers --depth 3
  locus neighbors . src/app.py::App.run --callees --json

An edge marked ? was chosen only because its name is unique in the repository.`;

interface NeighborsOptions extends RepositoryOptions {
  depth: number;
  limit: number;
  callers?: boolean;
  callees?: boolean;
}

/** `locus neighbors <dir> <function>`: the call graph around a function. */
export function neighborsCommand(run: Run): Command {
  return withRepositoryOptions(new Command('neighbors'))
    .description('Show the call graph around a function.')
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<function>', 'path::qualified.name, path:line, or a unique name')
    .option('--depth <steps>', 'steps from the function (1 to 5)', integer(1, 5), 1)
    .option('--callers', 'only what calls it')
    .option('--callees', 'only what it calls')
    .option(
      '-n, --limit <count>',
      'functions at most, the nearest stay (1 to 5000)',
      integer(1, 5000),
      200,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, chunk: string, options: NeighborsOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          await session.refresh(repository);
          const { depth, limit } = options;
          const neighborhood = await repository.neighbors({
            chunk,
            depth,
            limit,
            direction: directionOf(options),
          });
          if (session.json) session.printJson(neighborhood);
          else session.print(...renderNeighborhood(neighborhood, session.colors));
          return EXIT.ok;
        }),
      ),
    );
}

function directionOf({ callers, callees }: NeighborsOptions): 'callers' | 'callees' | 'both' {
  if (callers === callees) return 'both';
  return callers ? 'callers' : 'callees';
}
