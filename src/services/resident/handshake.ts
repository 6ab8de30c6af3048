/**
 * Both ends of a connection prove that they can read the key in the data directory, before either sends anything else. A proof holds for
 * one connection to one address: both ends choose a number for it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FrameSocket } from '../../base/frame-socket.ts';
import type { EnginePlace } from './place.ts';

/** Maximum size of a message before the peer has proved itself, in bytes. */
export const MAX_GREETING_BYTES = 1_000;

const HEX = /^[0-9a-f]{64}$/;

type End = 'command' | 'engine';

/** Proves this end of a connection to an engine, and waits for the engine's proof. Ends the connection if it is wrong. */
export async function greetEngine(frames: FrameSocket, place: EnginePlace): Promise<void> {
  const own = createNonce();
  frames.send({ nonce: own });
  const [nonce, proof] = readFields(await frames.next(), ['nonce', 'proof']);
  const nonces = `${own}\n${nonce}`;
  if (!isEqual(proof, prove(place, 'engine', nonces))) throw refuse(frames);
  frames.send({ proof: prove(place, 'command', nonces) });
}

/** Waits for a command's greeting and proof. Ends the connection if they are wrong or late. */
export async function greetCommand(
  frames: FrameSocket,
  place: EnginePlace,
  patienceMs: number,
): Promise<void> {
  const timer = setTimeout(() => frames.destroy('the greeting is late'), patienceMs);
  try {
    const [theirs] = readFields(await frames.next(), ['nonce']);
    const own = createNonce();
    const nonces = `${theirs}\n${own}`;
    frames.send({ nonce: own, proof: prove(place, 'engine', nonces) });
    const [proof] = readFields(await frames.next(), ['proof']);
    if (!isEqual(proof, prove(place, 'command', nonces))) throw refuse(frames);
  } finally {
    clearTimeout(timer);
  }
}

const createNonce = (): string => randomBytes(32).toString('hex');

const prove = ({ address, key }: EnginePlace, end: End, nonces: string): string =>
  createHmac('sha256', key).update(`${end}\n${address}\n${nonces}`).digest('hex');

const isEqual = (given = '', expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

function refuse(frames: FrameSocket): Error {
  frames.destroy('the proof is wrong');
  return new Error('The peer does not know the key.');
}

/** Returns fields that hold 32 bytes each. @throws Error for a message of another shape */
function readFields(message: unknown, names: readonly string[]): string[] {
  return names.map((name) => {
    const value = (message as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string' && HEX.test(value)) return value;
    throw new Error('The greeting is invalid.');
  });
}
