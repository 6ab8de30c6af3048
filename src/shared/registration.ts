/** Keys under which a program registers functions: routes, commands, options, events and other names. */
import { z } from 'zod';
import { quoteText } from './quote.ts';

export const REGISTRATION_KINDS = ['route', 'command', 'option', 'event', 'name'] as const;
export type RegistrationKind = (typeof REGISTRATION_KINDS)[number];

export const registration = z.object({
  kind: z.enum(REGISTRATION_KINDS),
  /** `GET /users/:id`, `/users` for any method, `export`, `--format`, `user_saved`. */
  key: z.string(),
});
/** Key of a function, as a call edge or an issue names it. */
export type Registration = z.output<typeof registration>;

/** Maximum number of keys that a remark names. */
const MAX_KEYS = 3;

/** Says what a function is registered for: `registered for the command \`export\``. */
export function describeKeys(registered: readonly Registration[]): string {
  const named = [...new Set(registered.map(describeKey))];
  const left = named.length - MAX_KEYS;
  const more = left > 0 ? ` and ${left} more` : '';
  return `registered for ${named.slice(0, MAX_KEYS).join(', ')}${more}`;
}

function describeKey({ kind, key }: Registration): string {
  return kind === 'route' ? quoteText(key) : `the ${kind} ${quoteText(key)}`;
}
