import { randomBytes } from 'node:crypto';

/** Returns a new token of `locus serve`, of letters that an address and a subprotocol can have. */
export const createToken = (): string => randomBytes(24).toString('base64url');
