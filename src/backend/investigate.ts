import { badInput } from '../shared/errors.ts';
import {
  chooseInvestigator,
  getInvestigationOrigin,
  INVESTIGATION_DEFAULTS,
  type InvestigationSettings,
} from '../shared/investigate.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import { rankForCheck } from './check.ts';
import type { Connection, EngineSession } from './session.ts';

type InvestigationMethod = Extract<keyof typeof params, `investigate.${string}`>;

/** Number of results that an investigation needs. */
const NEEDED = 50;

/** Creates the handlers for investigations. The modules are imported when the first one starts. */
export function createInvestigationHandlers(
  session: EngineSession,
  connection: Connection,
): Pick<Handlers<typeof params, EngineMethods>, InvestigationMethod> {
  const { checkFile: file } = session;
  const { env } = process;
  return {
    'investigate.plan': async ({ repository, request }) => {
      const { prepareInvestigation } = await import('../services/investigate/plan.ts');
      const settings = getSettings(session);
      const ranking = await rankForCheck(session, connection, repository, request, NEEDED);
      return (await prepareInvestigation(ranking, { settings, file, env })).plan;
    },
    'investigate.run': async ({ repository, run, request }, signal) => {
      const [{ investigate }, { createToolServer, findCommandLine }] = await Promise.all([
        import('../services/investigate/investigate.ts'),
        import('../services/investigate/tool-server.ts'),
      ]);
      const settings = getSettings(session);
      const ranking = await rankForCheck(session, connection, repository, request, NEEDED);
      const { commandLine = findCommandLine(env), ...options } = session.commandOptions;
      const { root } = ranking;
      const { dataDirectory } = session;
      return investigate(ranking, {
        settings,
        file,
        env,
        tools: createToolServer(commandLine, { ...options, root, dataDirectory }),
        readable: [root, dataDirectory, ...commandLine],
        signal,
        onStep: (step) => connection.served.emit('investigating', { run, step }),
      });
    },
    'investigate.agree': async ({ repository, trusted }) => {
      const { findAgentProgram } = await import('../services/investigate/plan.ts');
      const { address } = getSettings(session);
      file.agree(getInvestigationOrigin(address), session.getEntry(connection, repository).root);
      const { program } = findAgentProgram(address, env);
      if (trusted && program !== null) file.trust(program);
      return null;
    },
  };
}

/** @throws LocusError `bad-input` if the check has no agent */
function getSettings(session: EngineSession): InvestigationSettings {
  const address = chooseInvestigator('', session.settings.get().check.address);
  if (address === '')
    throw badInput(
      'No agent is set up.',
      'Enter one, such as agent:claude, in the settings of the check.',
    );
  return { ...INVESTIGATION_DEFAULTS, address };
}
