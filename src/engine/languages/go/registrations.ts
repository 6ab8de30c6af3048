import type { RegistrationForms } from '../registration.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const CAPITALIZED = VERBS.map((verb) => verb.charAt(0).toUpperCase() + verb.slice(1));
const TYPES = [
  'String',
  'Bool',
  'Int',
  'Int64',
  'Uint',
  'Float64',
  'Duration',
  'StringSlice',
  'StringArray',
];
const FLAGS = TYPES.flatMap((type) => [type, `${type}P`, `${type}Var`, `${type}VarP`]);

/** Forms of net/http, gorilla/mux, gin, echo, chi, cobra and urfave/cli. */
export const registrations: RegistrationForms = {
  calls: [
    {
      names: ['HandleFunc', 'Handle', 'HandlerFunc'],
      kind: 'route',
      key: [0],
      handler: [1],
      least: 2,
    },
    // chi: r.Method("GET", "/users", h). gin: r.Handle("GET", "/users", h).
    {
      names: ['Method', 'MethodFunc', 'Handle', 'HandlerFunc', 'Add'],
      kind: 'route',
      key: [1],
      handler: [-1],
      method: [0],
      least: 3,
    },
    {
      names: [...VERBS.map((verb) => verb.toUpperCase()), ...CAPITALIZED],
      kind: 'route',
      key: [0],
      handler: [-1],
      method: [{ from: 'callee' }],
      least: 2,
      object: /^(?!http$)/,
    },
    { names: ['Any', 'All'], kind: 'route', key: [0], handler: [-1], least: 2 },
    { names: ['Group', 'Route', 'PathPrefix', 'Mount'], kind: 'prefix', key: [0] },
    // cobra: &cobra.Command{Use: "export", RunE: runExport}. urfave/cli: &cli.Command{Name: "export", Action: export}.
    {
      names: ['Command'],
      kind: 'command',
      key: ['Use', 'Name'],
      handler: ['RunE', 'Run', 'Action'],
    },
    {
      names: FLAGS,
      kind: 'option',
      key: [0, 1],
      shape: /^[a-z][\w.-]+$/,
      object: /(?:^|\.)(?:flag|pflag|fs|flags|Flags\(\)|PersistentFlags\(\))$/,
    },
  ],
};
