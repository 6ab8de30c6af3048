/** Addresses of language models: servers, agents, and models that Locus runs itself. */
import { badInput } from './errors.ts';
import { isLocalModelName } from './local-models.ts';
import { isLoopback } from './remote-url.ts';

/** Agents that can check a list, by the names of their programs. */
export const AGENT_TITLES = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
} as const;
export type AgentName = keyof typeof AGENT_TITLES;

/** Start of the address of an agent: `agent:claude`, or `agent:` and the absolute path of a program. */
export const AGENT_SCHEME = 'agent:';

/** Start of the address of a language model that Locus runs itself: `local:` and its name. */
const LOCAL_SCHEME = 'local:';

/** Place of a language model: a server, an agent, or a file that Locus runs itself. */
export interface Endpoint {
  /** Name of a model that Locus runs itself, in a process of its own. */
  localModel?: string;
  /** Name or absolute path of an agent that is run on this machine; undefined for a server. */
  agent?: string;
  /** URL of the chat completions, or the agent's address. */
  url: string;
  /** Scheme, host and port. Keys and consents are stored by origin. */
  origin: string;
  host: string;
  /** True if the endpoint is on this machine. */
  isLocal: boolean;
  /** True if the connection is encrypted. */
  isEncrypted: boolean;
}

/**
 * Parses the address of a server, an agent or a model on this machine.
 * @throws LocusError `bad-input` if it is not an http(s) URL, or contains a user name, password, query or fragment.
 */
export function parseEndpoint(address: string): Endpoint {
  if (address.trim().startsWith(AGENT_SCHEME)) return parseAgent(address.trim());
  if (address.trim().startsWith(LOCAL_SCHEME)) return parseLocalModel(address.trim());
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw badAddress('is not an http:// or https:// address');
  }
  if (url.username || url.password) throw badAddress('contains a user name or password');
  if (url.search || url.hash) throw badAddress('contains a query or fragment');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    url: `${url.origin}${path}/chat/completions`,
    origin: url.origin,
    host: url.host,
    isLocal: isLoopback(url.hostname),
    isEncrypted: url.protocol === 'https:',
  };
}

function parseAgent(address: string): Endpoint {
  const agent = address.slice(AGENT_SCHEME.length);
  const isKnown = Object.hasOwn(AGENT_TITLES, agent);
  if (!isKnown && !/^(\/|[a-z]:[\\/])[^\0]*$/i.test(agent))
    throw badInput(
      `The address ${address.slice(0, 200)} names no agent that Locus knows.`,
      `Use ${Object.keys(AGENT_TITLES)
        .map((name) => AGENT_SCHEME + name)
        .join(', ')}, or ${AGENT_SCHEME} and the absolute path of a program.`,
    );
  const host = isKnown ? AGENT_TITLES[agent as AgentName] : agent;
  // Locus cannot see where an agent sends the prompt.
  return { agent, url: address, origin: address, host, isLocal: false, isEncrypted: true };
}

function parseLocalModel(address: string): Endpoint {
  const localModel = address.slice(LOCAL_SCHEME.length);
  if (!isLocalModelName(localModel))
    throw badInput(
      `The address ${address.slice(0, 200)} names no language model.`,
      `Use ${LOCAL_SCHEME} and a name that locus models lists.`,
    );
  const common = { url: address, origin: address, host: localModel };
  return { localModel, ...common, isLocal: true, isEncrypted: true };
}

const badAddress = (problem: string) =>
  badInput(
    `The check’s address ${problem}.`,
    'Enter only the base URL of its API, such as http://127.0.0.1:11434/v1.',
  );

/** Names a model for people, and says where it is: `qwen` and `at models.example`. */
export function describeModel(
  model: string,
  { agent, localModel, host, isLocal }: Endpoint,
): { model: string; place: string } {
  if (localModel !== undefined) return { model: localModel, place: 'on this machine' };
  if (agent !== undefined)
    return { model: model === '' ? host : `${host} (${model})`, place: 'through its provider' };
  return { model, place: isLocal ? 'on this machine' : `at ${host}` };
}

/** Returns true if the settings have an address, and the name of a model, which only servers need. */
export const isSetUp = ({ address, model }: { address: string; model: string }): boolean =>
  address.trim() !== '' &&
  (model.trim() !== '' ||
    [AGENT_SCHEME, LOCAL_SCHEME].some((scheme) => address.trim().startsWith(scheme)));
