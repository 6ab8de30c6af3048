/** Addresses of models, in words. */
import { type Endpoint, parseEndpoint } from '../../../shared/check-endpoint.ts';

/** Parses an address that is being entered; both are null for an empty one. */
export function parseAddress(address: string): {
  endpoint: Endpoint | null;
  problem: string | null;
} {
  if (address.trim() === '') return { endpoint: null, problem: null };
  try {
    return { endpoint: parseEndpoint(address), problem: null };
  } catch (error) {
    return { endpoint: null, problem: (error as Error).message };
  }
}

/** Says where code goes. */
export function describeEndpoint({ agent, host, isLocal, isEncrypted }: Endpoint): string {
  if (agent !== undefined)
    return `${host} runs here with its tools off, and sends code to its provider. Locus asks once for each repository.`;
  if (isLocal) return 'On this machine. Code does not leave it.';
  const risk = isEncrypted ? '' : ' The connection is not encrypted.';
  return `${host} is another machine, so code leaves this one. Locus asks once for each repository.${risk}`;
}

/** Returns true if the text about an address is a warning. */
export const isRisky = (endpoint: Endpoint | null, problem: string | null) =>
  problem !== null || endpoint?.isLocal === false;
