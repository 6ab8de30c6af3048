/** Maximum number of tickets of a commit. A message with more is a list of changes, such as the notes of a release. */
const MAX_TICKETS = 8;
const NUMBER = /(?<![\w&#/])(#|GH-|!)(\d{1,6})(?![\w-]|\.\d)/gi;
/** The key of a ticket at the start of a message. Elsewhere, `UTF-8` looks the same. */
const KEY = /^\W{0,2}(?!GH-)([A-Z][A-Z\d]{1,9}-\d{1,6})(?![\w-])/;

/**
 * Lists the issues and requests to merge that a commit message names: `#123` (also for `GH-123`), `!123`, and a key such as
 * `LANG-788` at its start. Of a message that names many, only those of its subject.
 */
export function listTickets(message: string): string[] {
  const tickets = readTickets(message);
  if (tickets.length <= MAX_TICKETS) return tickets;
  return readTickets(message.split('\n', 1)[0] ?? '').slice(0, MAX_TICKETS);
}

function readTickets(text: string): string[] {
  const numbers = Array.from(text.matchAll(NUMBER), ([, sign, number]) => {
    return `${sign === '!' ? '!' : '#'}${Number(number)}`;
  });
  const key = KEY.exec(text)?.[1];
  return [...new Set([...(key ? [key] : []), ...numbers])];
}
