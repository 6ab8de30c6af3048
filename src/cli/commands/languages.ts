import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import {
  checkLanguage,
  describeLanguages,
  listLanguageProblems,
  loadLanguagesIn,
} from '../../engine/index.ts';
import { getDataDirectory, getLanguageFolder } from '../../services/locations.ts';
import { badInput } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RunAction, Session } from '../session.ts';

const EXAMPLES = `
A language of your own is a folder in "languages" of the data directory (docs/how-to/add-your-own-language.md).

Examples:
  locus languages                    list the languages and their files
  locus languages check quill        check one in the data directory
  locus languages check ~/src/quill  check one in another folder`;

const ACTIONS = ['list', 'check'];
const READERS = { adapter: 'in depth', tags: 'by its tags', user: 'yours' };

export function languagesCommand(run: RunAction): Command {
  return new Command('languages')
    .option(
      '--data-dir <folder>',
      'data directory, with your own languages (or set LOCUS_DATA_DIR)',
    )
    .addArgument(
      new Argument('[action]', ACTIONS.join(' or '))
        .choices(ACTIONS)
        .default('list')
        .argParser(String),
    )
    .argument('[language]', 'check: name of a language of yours, or its folder')
    .addHelpText('after', EXAMPLES)
    .action((action: string, language: string | undefined, options: { dataDir?: string }) =>
      run(async (session) => {
        const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', session.host.env);
        const folder = getLanguageFolder(getDataDirectory(dataDir));
        if (action === 'list' && language === undefined) return listAll(session, folder);
        if (action === 'check' && language !== undefined) return check(session, folder, language);
        throw badInput(
          `Unknown action of locus languages: ${[action, language].filter(Boolean).join(' ')}.`,
          'Use list, or check <language>.',
        );
      }),
    );
}

async function listAll(session: Session, folder: string): Promise<ExitCode> {
  await loadLanguagesIn(folder);
  const languages = await describeLanguages();
  const problems = await listLanguageProblems();
  const width = Math.max(...languages.map(({ title }) => title.length));
  session.printResult({ languages, folder, problems }, () =>
    languages.map(({ title, files, reader }) =>
      escapeHidden(`${title.padEnd(width)}  ${READERS[reader].padEnd(11)}  ${files.join(' ')}`),
    ),
  );
  if (!session.json) for (const problem of problems) session.note(problem);
  return EXIT.ok;
}

async function check(session: Session, folder: string, language: string): Promise<ExitCode> {
  const path = /^[a-z][a-z0-9+#-]*$/.test(language) ? join(folder, language) : language;
  const checked = await checkLanguage(path);
  const { title, example, errors, definitions } = checked;
  session.printResult(checked, () => [
    escapeHidden(
      `${title} reads ${example}: ${formatCounted(definitions.length, 'definition')}, ${formatCounted(errors, 'syntax error')}.`,
    ),
    ...definitions.map(({ kind, name, startLine, endLine }) =>
      escapeHidden(`  ${kind} ${name} ${startLine}-${endLine}`),
    ),
  ]);
  return EXIT.ok;
}
