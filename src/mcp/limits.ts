/** Bytes of a message: above what any tool takes, so that too long an issue is answered and does not end the connection. */
export const LARGEST_MESSAGE = 64_000_000;
