import { Command } from 'commander';
import { exportResults, formatOfFile } from '../../services/exchange/export.ts';
import { gatherExport } from '../../services/exchange/gather.ts';
import { listJsonSchema } from '../../services/exchange/list.ts';
import { writeFileAtomically } from '../../services/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../shared/lists.ts';
import type { Answering } from '../../shared/repository.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  oneOf,
  openOptions,
  readIssue,
  type SearchOptions,
  toSearchRequest,
  withSearchOptions,
} from '../options.ts';
import {
  openSeveral,
  readWords,
  type SeveralOptions,
  severalOf,
  withSeveral,
} from '../repositories.ts';
import type { Run } from '../run.ts';
import type { Session } from '../session.ts';
import { counted } from '../terminal.ts';

const EXAMPLES = `
Formats: markdown for people, json for locus import and scripts (its schema: --schema), csv for spreadsheets,
sarif (2.1.0) for editors and code review. --output chooses by the file's name.

Examples:
  locus export . --file issue.md --output where.md --code
  locus export . --file issue.md --output list.json         opened elsewhere with locus import
  locus export . --file issue.md --format sarif > locus.sarif
  locus export ~/src --each --file issue.md --output where.md
  locus export --schema > locus-export.schema.json`;

interface ExportOptions extends SearchOptions, SeveralOptions {
  format?: ExportFormat;
  output?: string;
  code?: boolean;
  schema?: boolean;
}

/** `locus export <dir> [issue...]`: a search's results as a file. */
export function exportCommand(run: Run): Command {
  return withSeveral(withSearchOptions(new Command('export')))
    .description('Search, and write the results as Markdown, JSON, CSV or SARIF.')
    .argument('[dir]', 'a folder, a git working tree or a bare repository')
    .argument('[issue...]', 'the text of the issue; - reads standard input')
    .option('--format <format>', EXPORT_FORMATS.join(', '), oneOf(EXPORT_FORMATS))
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .option('--code', 'include the code of each result (markdown)')
    .option('--schema', 'print the JSON Schema of the json format and leave')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, rest: string[], options: ExportOptions) =>
      run(async (session) => {
        if (options.schema) {
          session.print(JSON.stringify(listJsonSchema(), null, 2));
          return EXIT.ok;
        }
        const { folders, words } = readWords(dir === undefined ? [] : [dir, ...rest], options);
        const several = await severalOf(folders, options, session);
        const format = options.format ?? formatFor(options.output, session.json);
        const issue = await readIssue(session.host, words, options.file);
        const write = (repository: Answering) =>
          exportFrom(repository, issue, format, options, session);
        if (several) return write(await openSeveral(several, options, session));
        const open = openOptions(options, session.host);
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          await session.refresh(repository);
          return write(repository);
        });
      }),
    );
}

async function exportFrom(
  repository: Answering,
  issue: string,
  format: ExportFormat,
  options: ExportOptions,
  session: Session,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const request = toSearchRequest(issue, options, env);
  const response = await repository.search(request, { signal });
  for (const { name, failure } of response.repositories ?? [])
    if (failure) session.note(`locus: ${name}: ${failure.message}; ${failure.remedy}`);
  const input = await gatherExport(repository, response, issue, { code: options.code });
  const text = exportResults(format, { ...input, createdAt: new Date().toISOString() });
  const results = input.response.results.length;
  if (options.output === undefined) {
    session.host.stdout.write(text);
  } else {
    await writeFileAtomically(options.output, text);
    if (session.json) session.printJson({ output: options.output, format, results });
    else session.print(`${counted(results, 'result')} written to ${options.output}`);
  }
  return results > 0 ? EXIT.ok : EXIT.nothingFound;
}

function formatFor(output: string | undefined, json: boolean): ExportFormat {
  if (output === undefined) return json ? 'json' : 'markdown';
  const format = formatOfFile(output);
  if (format) return format;
  throw new LocusError(
    'bad-input',
    `no format is known for ${output}`,
    `add --format ${EXPORT_FORMATS.join(', ')}, or end the name in .md, .json, .csv or .sarif`,
  );
}
