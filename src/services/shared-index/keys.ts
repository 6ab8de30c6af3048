/** Keys of publishers (Ed25519, RFC 8032). Readers pin the public key. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, readVariable } from '../../base/environment.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { badInput } from '../../shared/errors.ts';

/** File in the data directory with the private key, or its keychain entry. */
const KEY_FILE = 'publisher.key';
const MAX_KEY_BYTES = 64 * 2 ** 10;
const PREFIX = 'ed25519:';
const NAME = /^ed25519:[A-Za-z0-9_-]{43}$/;

/** `ed25519:` and the 32 bytes of a public key in base64url. */
export type PublicKey = string;

export const isPublicKey = (text: string): boolean => NAME.test(text);

export interface Publisher {
  key: PublicKey;
  sign(bytes: Buffer): Buffer;
}

/** Content of the key file if the private key is in the keychain. Otherwise the file holds the private key in PEM. */
const publicPart = z.object({
  publicKey: z.string().regex(NAME),
  privateKey: z.object({ keychain: z.string() }),
});

export const getPublisherKeyPath = (dataDirectory: string): string => join(dataDirectory, KEY_FILE);

/** Returns this machine's public key; null if it has none or the file is invalid. Does not ask the keychain. */
export function findOwnKey(dataDirectory: string, env: Environment): PublicKey | null {
  try {
    const given = readVariable('LOCUS_PUBLISHER_KEY', env);
    if (given) return parsePublisher(given, 'LOCUS_PUBLISHER_KEY').key;
    if (!existsSync(getPublisherKeyPath(dataDirectory))) return null;
    return readKeyFile(dataDirectory)?.key ?? null;
  } catch {
    // Publishing reports the problem.
    return null;
  }
}

/** Reads the public key, and the private key or its keychain entry. @throws LocusError `bad-input` for a file without a key */
export function readKeyFile(folder: string) {
  const text = new UntrustedFolder(folder, 'bad-store')
    .readSync(KEY_FILE, MAX_KEY_BYTES)
    ?.toString('utf8');
  if (text === undefined) return null;
  const { data } = publicPart.safeParse(parseJsonOrNull(text));
  if (data) return { key: data.publicKey, stored: data.privateKey };
  return { key: parsePublisher(text, getPublisherKeyPath(folder)).key, stored: text };
}

export function parsePublisher(pem: string, from: string): Publisher {
  const secret = parsePrivateKey(pem);
  if (secret?.asymmetricKeyType !== 'ed25519') {
    throw badInput(
      `${from} does not hold an Ed25519 private key in PEM.`,
      'Give the private key that locus publish created, or remove it to create a new one.',
    );
  }
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' });
  return { key: `${PREFIX}${x}`, sign: (bytes) => sign(null, bytes, secret) };
}

function parsePrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    // Not a key.
    return null;
  }
}

/** Returns true if the holder of a public key signed these bytes. */
export function isSignatureValid(bytes: Buffer, signature: Buffer, key: PublicKey): boolean {
  if (!isPublicKey(key)) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.slice(PREFIX.length) };
  try {
    return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    // Not a key.
    return false;
  }
}
