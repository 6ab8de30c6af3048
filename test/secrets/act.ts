/**
 * Runs one action with a secret in a data directory, and prints its outcome as JSON: `node act.ts <folder> <action> [<secret>]`. With HURRY,
 * a time limit ends as soon as a call of the keychain hangs, and no earlier, however slow the machine is.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { removeFleetSetup, resolveFleet, setUpFleet } from '../../src/services/fleet/setup.ts';
import { findOwnKey } from '../../src/services/shared-index/keys.ts';
import { readOwnPublisher } from '../../src/services/shared-index/publisher.ts';

const [folder = '', action = '', secret = ''] = process.argv.slice(2);
const ORIGIN = 'https://a.example';
const FLEET = { objects: '/mnt/fleet', engine: 'https://milvus.example:19530' };
const file = new CheckFile(folder, {});

const actions: Record<string, () => unknown> = {
  'write check': () => file.setKey(ORIGIN, secret),
  'read check': () => file.key(ORIGIN),
  'remove check': () => file.setKey(ORIGIN, null),
  'write fleet': () => setUpFleet(folder, { ...FLEET, token: secret }),
  'read fleet': async () => (await resolveFleet({ dataDir: folder }, {})).token ?? null,
  'remove fleet': () => removeFleetSetup(folder),
  'read publisher': async () => (await readOwnPublisher(folder, {})).key,
  'public key': () => findOwnKey(folder, {}),
};

if (process.env.HURRY) {
  const hanging = join(process.env.FAKE_KEYRING ?? '', 'is-hanging');
  rmSync(hanging, { force: true });
  AbortSignal.timeout = () => {
    const limit = new AbortController();
    const timer = setInterval(() => {
      if (!existsSync(hanging)) return;
      clearInterval(timer);
      limit.abort(new DOMException('The limit is over.', 'TimeoutError'));
    }, 10).unref();
    return limit.signal;
  };
}
try {
  console.log(JSON.stringify({ result: (await actions[action]?.()) ?? null }));
} catch (error) {
  const { code, message, remedy } = error as Record<string, string>;
  console.log(JSON.stringify({ error: { code, message, remedy } }));
}
