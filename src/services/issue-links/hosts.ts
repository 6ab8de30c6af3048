import { LocusError } from '../../shared/errors.ts';
import { readHost } from '../../shared/issue-link.ts';
import type { Environment } from './tokens.ts';

/**
 * The hosts that the user agreed to: those of the settings, and those of LOCUS_FETCH_HOSTS, separated by commas or blanks.
 *
 * @throws LocusError `bad-input` when the variable holds something that is no host.
 */
export function agreedHosts(
  stored: readonly string[],
  { LOCUS_FETCH_HOSTS }: Environment,
): string[] {
  const named = (LOCUS_FETCH_HOSTS ?? '').split(/[\s,]+/).filter(Boolean);
  return [...stored, ...named.map(hostNamed)];
}

function hostNamed(text: string): string {
  const host = readHost(text);
  if (host) return host;
  throw new LocusError(
    'bad-input',
    `LOCUS_FETCH_HOSTS holds “${text}”, which is no host`,
    'give hosts like github.com or git.example.org:8443, separated by commas',
  );
}
