/**
 * Forms in which code registers functions under a key: routes, commands, events. One mechanism reads them all
 * (`parse/registrations.ts`); a language lists the forms of its frameworks as rows.
 */
import type { RegistrationKind } from '../../shared/registration.ts';

/**
 * Argument of a call: its position, negative from the end, or its name. The other words are
 * `callee`: the last name of the call;
 * `object`: the last name of the object that it is called on;
 * `definition`: the name of the decorated definition;
 * `before name`: the first string of an earlier call of this name in the chain, as in `route('/x').get(f)`;
 * `variable`: the key of the call whose result the object is;
 * `nothing`: an empty key, if the call has no arguments.
 */
export type RegistrationSource =
  | number
  | string
  | { from: 'callee' | 'object' | 'definition' | 'variable' | 'nothing' }
  | { from: 'before'; name: string };

export interface RegistrationForm {
  /** Last names of the call, decorator or literal of a type. */
  names: readonly string[];
  /** `prefix` goes before the routes of a variable, of a class or inside the call; `variable` gives its key to a variable. */
  kind: RegistrationKind | 'prefix' | 'variable';
  /** True if it decorates the function; default false. */
  isDecorator?: boolean;
  /** Places of the key; the first that has a string counts. */
  key: readonly RegistrationSource[];
  /** True if the key may be a name instead of a string, such as that of a signal. */
  mayBeName?: boolean;
  /** Places of the handler, the first that has one counts. Without places, it is the chunk that the form stands in. */
  handler?: readonly RegistrationSource[];
  /** True if it registers nothing without a handler that is a name. */
  needsHandler?: boolean;
  /** Places of the HTTP method. */
  method?: readonly RegistrationSource[];
  /** Shape of the key; a route by default begins with a slash. */
  shape?: RegExp;
  /** The object that it is called on, as a dotted name. */
  object?: RegExp;
  /** True if only a call with a block registers something. */
  needsBlock?: boolean;
  /** Minimum number of arguments without a name. */
  least?: number;
  /** True for a prefix that also is the namespace of the classes inside the call. */
  isNamespace?: boolean;
  /** Methods and paths for the methods of a class, by convention: `index` is `GET /`. */
  members?: Readonly<Record<string, string>>;
}

/** Registration that the path of a file makes. */
interface FileRegistrationForm {
  /** Group 1 is the key. */
  path: RegExp;
  kind: RegistrationKind;
  /** Qualified names of the handler, the first that is defined counts. */
  handlers: readonly string[];
}

export interface RegistrationForms {
  calls: readonly RegistrationForm[];
  files?: readonly FileRegistrationForm[];
  /** Returns the class and method that a string names, as in `users#index`; null if it names none. */
  readNamespace?(prefix: string): string;
  readHandlerName?(text: string): { type: string; member: string } | null;
}
