import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import type { UpdateAnswer, UpdateOffer } from '../../shared/updates.ts';
import { PACKAGE } from '../../shared/version.ts';
import { EXIT } from '../exit-codes.ts';
import { ask, canAsk } from '../question.ts';
import type { RunAction, Session } from '../session.ts';

const EXAMPLES = `
The registry of npm is asked, or the one that npm_config_registry names. Locus installs nothing: it prints the command that does.

Examples:
  locus update --check          ask whether there is a newer version, after you agree
  locus update --check --yes --json`;

interface Options {
  check?: boolean;
  yes?: boolean;
}

export function updateCommand(run: RunAction): Command {
  return new Command('update')
    .option('--check', 'ask the registry of npm for the newest version')
    .option('--yes', 'agree to ask it')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) =>
      run(async (session) => {
        if (!options.check)
          throw badInput(
            'Locus does not update itself.',
            'Run locus update --check to see whether there is a newer version, and the command that installs it.',
          );
        const { checkForUpdate, makeUpdateOffer } = await import('../../services/updates/check.ts');
        const { env, signal } = session.host;
        const offer = makeUpdateOffer(env);
        if (!options.yes) await askToCheck(session, offer);
        const answer = await checkForUpdate(env, { signal });
        session.printResult(answer, () => render(answer, session));
        return EXIT.ok;
      }),
    );
}

/** Asks on the terminal whether to check. @throws LocusError `bad-input` if nobody can answer, or the answer is no */
async function askToCheck(session: Session, { host }: UpdateOffer): Promise<void> {
  const question = `Ask ${host} once for the newest version of ${PACKAGE}? It sees your network address, and nothing about you or this version. [y/N]: `;
  const answer = canAsk(session) ? await ask(session.host, question) : '';
  if (answer === 'y' || answer === 'yes') return;
  throw badInput(
    `${host} was not asked for the newest version: you did not agree.`,
    'Add --yes to agree, or answer y on a terminal.',
  );
}

function render(answer: UpdateAnswer, { colors }: Session): string[] {
  const { version, latest, isNewer, command, page } = answer;
  if (isNewer)
    return [
      `Locus ${latest} is available. This is ${version}.`,
      `${colors.yellow('→')} ${command ?? page}`,
    ];
  if (latest === version) return [`Locus ${version} is the newest version.`];
  return [`Locus ${version} is newer than the newest published version, ${latest}.`];
}
