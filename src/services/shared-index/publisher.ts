/** The private key of this machine's publisher. */
import { generateKeyPairSync } from 'node:crypto';
import { type Environment, readVariable } from '../../base/environment.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { prepareDataDirectory } from '../locations.ts';
import { readSecret, type SecretSlot, writeSecret } from '../secrets/secrets.ts';
import { getPublisherKeyPath, type Publisher, parsePublisher, readKeyFile } from './keys.ts';

/**
 * Returns the key to publish with: from LOCUS_PUBLISHER_KEY, in the format of the key file, or from the data directory, where it is
 * created the first time.
 * @throws LocusError `bad-input` for an invalid key, `bad-store` if it cannot be stored or read
 */
export async function readOwnPublisher(
  dataDirectory: string,
  env: Environment,
): Promise<Publisher> {
  const given = readVariable('LOCUS_PUBLISHER_KEY', env);
  if (given) return parsePublisher(given, 'LOCUS_PUBLISHER_KEY');
  const slot = getPublisherSlot(prepareDataDirectory(dataDirectory));
  if (slot.read() === null) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeSecret(slot, pem, { replace: false });
  }
  return parsePublisher((await readSecret(slot)) ?? '', getPublisherKeyPath(slot.folder));
}

/** Returns the slot of the private key. */
export function getPublisherSlot(folder: string): SecretSlot {
  const path = getPublisherKeyPath(folder);
  return {
    folder,
    name: 'publisher key',
    remedy: 'set LOCUS_PUBLISHER_KEY',
    read: () => readKeyFile(folder)?.stored ?? null,
    write: (privateKey, pem) => {
      const content =
        typeof privateKey === 'string'
          ? privateKey
          : JSON.stringify({ publicKey: parsePublisher(pem ?? '', path).key, privateKey });
      writePrivateFile(path, content);
    },
  };
}
