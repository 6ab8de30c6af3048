import { Command } from 'commander';
import { writeFileAtomically } from '../../base/write-file.ts';
import { detectFormat, exportResults } from '../../services/exchange/export.ts';
import type { ExportInput } from '../../services/exchange/export-input.ts';
import { gatherExport } from '../../services/exchange/gather.ts';
import { listJsonSchema } from '../../services/exchange/list.ts';
import { toPrompt } from '../../services/exchange/prompt.ts';
import { badInput } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS } from '../../shared/limits.ts';
import { EXPORT_FORMATS, type ExportFormat, type PromptSize } from '../../shared/lists.ts';
import type { PostTarget } from '../../shared/post.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import {
  type CheckChoice,
  type CheckCliOptions,
  exportChecked,
  readCheckSettings,
  searchAndCheck,
  withCheckOptions,
} from '../check.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type IssueUrlOptions, readGivenIssue, withIssueUrlOptions } from '../issue-url.ts';
import {
  parseChoice,
  parseInteger,
  parseNonEmpty,
  type SearchCliOptions,
  toSearchRequest,
  withSearchOptions,
  withUpdatedRepository,
} from '../options.ts';
import { type PostCliOptions, postList, resolvePostTarget } from '../post.ts';
import type { RunAction, Session } from '../session.ts';
import {
  noteFailures,
  openWorkspace,
  resolveWorkspace,
  splitWords,
  type WorkspaceOptions,
  withWorkspaceOptions,
} from '../workspace.ts';

const EXAMPLES = `
Formats: markdown for people, json for locus import and scripts (--schema prints its schema), csv for spreadsheets,
sarif (2.1.0) for editors and code review, prompt for a language model. --output chooses the format by the file's name.

Examples:
  locus export . --file issue.md --output where.md --code
  locus export . --file issue.md --output list.json         for locus import in another checkout
  locus export . --file issue.md --format sarif > locus.sarif
  locus export . --file issue.md --prompt --tokens 8000 | llm
  locus export . --issue owner/repo#123 --fetch --post      shows the list, asks, and comments using gh
  locus export . --file issue.md --post '#123' --yes        posts to issue 123 of the remote, without asking
  locus export . --file issue.md --check --output where.md  in the order of a language model
  locus export ~/src --workspace --file issue.md --output where.md
  locus export --schema > locus-export.schema.json`;

interface ExportOptions
  extends SearchCliOptions,
    IssueUrlOptions,
    WorkspaceOptions,
    CheckCliOptions,
    PostCliOptions {
  format?: ExportFormat;
  code?: boolean;
  prompt?: boolean;
  tokens: number;
  links?: boolean;
  schema?: boolean;
}

export function exportCommand(run: RunAction): Command {
  return withCheckOptions(
    withWorkspaceOptions(withIssueUrlOptions(withSearchOptions(new Command('export')))),
  )
    .argument('[dir]', 'folder of the repository (default: the current one)')
    .argument('[issue...]', 'text of the issue; - reads standard input')
    .option('--format <format>', EXPORT_FORMATS.join(', '), parseChoice(EXPORT_FORMATS))
    .option('-o, --output <file>', 'write to a file instead of standard output', parseNonEmpty)
    .option('--code', 'include the code of each result (markdown, json)')
    .option(
      '--prompt',
      'write a prompt for a language model with the issue and the code; same as --format prompt',
    )
    .option(
      '--tokens <count>',
      `maximum size of a prompt; results that do not fit are listed without code (${MIN_TOKENS} to ${MAX_TOKENS})`,
      parseInteger(MIN_TOKENS, MAX_TOKENS),
      DEFAULT_TOKENS,
    )
    .option('--links', 'add a deep link to each result (markdown; other formats always have them)')
    .option(
      '--post [issue]',
      'post the list as a comment, using gh: to owner/repo#123, #123, a URL, or the fetched issue; asks first',
    )
    .option('--yes', 'post without asking')
    .option('--schema', 'print the JSON Schema of the json format and exit')
    .addHelpText('after', EXAMPLES)
    .action((first: string | undefined, rest: string[], options: ExportOptions) =>
      run(async (session) => {
        if (options.schema) {
          session.print(JSON.stringify(listJsonSchema(), null, 2));
          return EXIT.ok;
        }
        const { folders, words } = splitWords(first === undefined ? [] : [first, ...rest], options);
        const members = await resolveWorkspace(folders, options, session);
        const format = chooseFormat(options, session.json && options.post === undefined);
        const dir = members ? null : (folders[0] ?? null);
        const { text: issue, source } = await readGivenIssue(session, dir, words, options);
        const target = await resolvePostTarget(session, dir, options, { format, source });
        const settings = await readCheckSettings(options, session.host.env);
        const roots = members?.map((member) => member.root);
        const choice = settings && { settings, options, roots };
        const write = (repository: QueryTarget) =>
          exportFrom(repository, { issue, format, target, choice }, options, session);
        if (members) return write(await openWorkspace(members, options, session));
        return withUpdatedRepository(session, folders[0] ?? '', options, write);
      }),
    );
}

function chooseFormat({ format, prompt, output }: ExportOptions, json: boolean): ExportFormat {
  if (!prompt) return format ?? inferFormat(output, json);
  if (format === undefined || format === 'prompt') return 'prompt';
  throw badInput(`--prompt cannot be combined with --format ${format}.`, 'Give one of them.');
}

const describeSize = ({ tokens, withCode, withoutCode }: PromptSize): string =>
  `locus: About ${tokens} tokens: ${formatCounted(withCode, 'result')} with code${withoutCode > 0 ? `, ${withoutCode} without code because of --tokens` : ''}.`;

interface ExportTask {
  issue: string;
  format: ExportFormat;
  target: PostTarget | null;
  /** Model that checks the list; null for none. */
  choice: CheckChoice | null;
}

async function exportFrom(
  repository: QueryTarget,
  { issue, format, target, choice }: ExportTask,
  options: ExportOptions,
  session: Session,
): Promise<ExitCode> {
  const request = toSearchRequest(issue, options, session.host.env);
  const found = choice
    ? await searchAndCheck(repository, request, choice, session)
    : await session.search(repository, request);
  noteFailures(found, session);
  const code = options.code || format === 'prompt';
  const { response, ...checked } = exportChecked(found, request.limit);
  const gathered = await gatherExport(repository, response, issue, { code });
  const input: ExportInput = {
    ...gathered,
    ...checked,
    ...(format === 'markdown' && !options.links && { deepLinks: undefined }),
    createdAt: new Date().toISOString(),
  };
  const prompt = format === 'prompt' ? toPrompt(input, options.tokens) : null;
  const text = prompt?.text ?? exportResults(format, input);
  if (prompt) session.note(describeSize(prompt));
  const results = input.response.results.length;
  if (target) {
    if (results > 0) {
      const posted = await postList(session, target, text, options);
      session.printResult({ posted }, () => [`Posted to ${posted.label}: ${posted.url}`]);
    } else session.note('locus: Nothing was posted: the search found nothing.');
  } else if (options.output === undefined) {
    session.host.stdout.write(text);
  } else {
    await writeFileAtomically(options.output, text);
    session.printResult({ output: options.output, format, results }, () => [
      `${formatCounted(results, 'result')} written to ${options.output}`,
    ]);
  }
  return results > 0 ? EXIT.ok : EXIT.nothingFound;
}

function inferFormat(output: string | undefined, json: boolean): ExportFormat {
  if (output === undefined) return json ? 'json' : 'markdown';
  const format = detectFormat(output);
  if (format) return format;
  throw badInput(
    `The format of ${output} cannot be inferred from its name.`,
    `Add --format (${EXPORT_FORMATS.join(', ')}), or end the name in .md, .json, .csv or .sarif.`,
  );
}
