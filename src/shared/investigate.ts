/**
 * An investigation: an agent of the user reads the repository with Locus's tools, then answers as a check does. This file holds
 * what hosts and pages share.
 */
import { z } from 'zod';
import type { CheckOutcome, CheckPlan } from './check.ts';
import { AGENT_SCHEME, parseEndpoint } from './check-endpoint.ts';
import { INVESTIGATION_RANGES } from './limits.ts';

const within = ([min, max]: readonly [number, number]) => z.int().min(min).max(max);

/** Settings of investigations. */
const investigationSettings = z.object({
  /** `agent:claude`, or `agent:` and the absolute path of a program; empty for the agent of the check. */
  address: z.string().max(2000).default(''),
  /** Maximum number of tool calls. */
  toolCalls: within(INVESTIGATION_RANGES.toolCalls).default(40),
  /** Time limit of the whole investigation in seconds. */
  seconds: within(INVESTIGATION_RANGES.seconds).default(300),
});
export type InvestigationSettings = z.output<typeof investigationSettings>;
export const INVESTIGATION_DEFAULTS: InvestigationSettings = investigationSettings.parse({});

/** Returns the address of the agent that investigates: its own, or that of the check if it is an agent; empty without one. */
export function chooseInvestigator(own: string, check: string): string {
  return (
    [own, check].map((text) => text.trim()).find((text) => text.startsWith(AGENT_SCHEME)) ?? ''
  );
}

/** Returns the name under which consents to investigations are stored. They are not those to checks, which send less. */
export const getInvestigationOrigin = (address: string): string =>
  `investigate ${parseEndpoint(address).origin}`;

/** Sandboxes of the systems. */
export type SandboxName = 'bwrap' | 'sandbox-exec';

/** Something that the agent did, as one line of untrusted plain text. */
export interface InvestigationStep {
  /** `refused`: a request that Locus did not allow. */
  kind: 'tool' | 'thought' | 'plan' | 'refused';
  text: string;
}

/** Plan of an investigation, before the agent is started. */
export interface InvestigationPlan extends Pick<CheckPlan, 'model' | 'place' | 'agreed'> {
  /** Real path of the program. */
  program: string;
  /** Sandbox that the agent runs in; null if the system has none that works. */
  sandbox: SandboxName | null;
  /** True if the user trusts the program to run without a sandbox. */
  trusted: boolean;
  /** Characters of the first request. */
  characters: number;
  /** Number of results that it describes. */
  results: number;
  settings: InvestigationSettings;
}

export interface InvestigationOutcome extends CheckOutcome {
  investigation: {
    sandbox: SandboxName | null;
    toolCalls: number;
    /** Number of requests that were refused. */
    refused: number;
  };
}
