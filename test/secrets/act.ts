/**
 * Runs one action with a secret in a data directory, and prints its outcome as JSON: `node act.ts <folder> <action> [<secret>]`. With HURRY,
 * time limits are a fifth of their normal length.
 */
import { fleetOptions, forgetFleet, setUpFleet } from '../../src/services/fleet/setup.ts';
import { ownKey } from '../../src/services/shared-index/keys.ts';
import { ownPublisher } from '../../src/services/shared-index/publisher.ts';
import { VerifierFile } from '../../src/services/verify/verifier-file.ts';

const [folder = '', action = '', secret = ''] = process.argv.slice(2);
const ORIGIN = 'https://a.example';
const FLEET = { objects: '/mnt/fleet', engine: 'https://milvus.example:19530' };
const file = new VerifierFile(folder, {});

const actions: Record<string, () => unknown> = {
  'write verifier': () => file.setKey(ORIGIN, secret),
  'read verifier': () => file.key(ORIGIN),
  'remove verifier': () => file.setKey(ORIGIN, null),
  'write fleet': () => setUpFleet(folder, { ...FLEET, token: secret }),
  'read fleet': async () => (await fleetOptions({ dataDir: folder }, {})).token ?? null,
  'remove fleet': () => forgetFleet(folder),
  'read publisher': async () => (await ownPublisher(folder, {})).key,
  'public key': () => ownKey(folder, {}),
};

if (process.env.HURRY) {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(ms / 5);
}
try {
  console.log(JSON.stringify({ result: (await actions[action]?.()) ?? null }));
} catch (error) {
  const { code, message, remedy } = error as Record<string, string>;
  console.log(JSON.stringify({ error: { code, message, remedy } }));
}
