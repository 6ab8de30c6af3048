import { Command } from 'commander';
import type { SimilarChunks } from '../../shared/similar.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { integer, openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';
import { type Colors, counted } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus similar . parse_cookie                        more like this one
  locus similar . src/app.py::App.run --source        without tests, examples and docs
  locus similar . src/app.py:42 --limit 5 --json

The number is the cosine similarity of the embeddings, which a model of this machine made: 1 is the same.`;

interface SimilarOptions extends RepositoryOptions {
  limit: number;
  source?: boolean;
}

/** `locus similar <dir> <function>`: functions that are like one in meaning. */
export function similarCommand(run: Run): Command {
  return withRepositoryOptions(new Command('similar'))
    .description('Show the functions most like one.')
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<function>', 'path::qualified.name, path:line, or a unique name')
    .option('-n, --limit <count>', 'functions at most (1 to 500)', integer(1, 500), 20)
    .option('--source', 'leave out tests, examples, docs, vendored and generated code')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, chunk: string, options: SimilarOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          await session.refresh(repository);
          const { limit, source = false } = options;
          const similar = await repository.similar({ chunk, limit, sourceOnly: source });
          if (session.json) session.printJson(similar);
          else session.print(...renderSimilar(similar, session.colors));
          return EXIT.ok;
        }),
      ),
    );
}

function renderSimilar({ center, chunks, pending }: SimilarChunks, colors: Colors): string[] {
  const line = ({ qualifiedName, path, startLine }: SimilarChunks['center']) =>
    `${visible(qualifiedName)}  ${colors.dim(`${visible(path)}:${startLine}`)}`;
  const list = chunks.map(
    (chunk) => `${colors.dim(chunk.similarity.toFixed(2).padStart(5))}  ${line(chunk)}`,
  );
  const none = chunks.length === 0 ? [colors.dim('there is nothing to compare it with')] : [];
  const rest =
    pending > 0
      ? [colors.dim(`${counted(pending, 'function')} not encoded yet, and not compared`)]
      : [];
  return [line(center), '', ...list, ...none, ...rest];
}
