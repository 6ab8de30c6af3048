import type { RegistrationForms } from '../registration.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'match', 'root'];

/** Forms of Rails' routes, Sinatra, Thor, Rake and callbacks. */
export const registrations: RegistrationForms = {
  calls: [
    {
      names: VERBS,
      kind: 'route',
      key: [0],
      handler: ['to'],
      needsHandler: true,
      method: [{ from: 'callee' }, 'via'],
      shape: /^[\w/:.*()-]*$/,
    },
    // Sinatra: get '/users' do … end.
    { names: VERBS, kind: 'route', key: [0], method: [{ from: 'callee' }], needsBlock: true },
    { names: ['namespace'], kind: 'prefix', key: [0], isNamespace: true },
    { names: ['scope'], kind: 'prefix', key: [0, 'path'] },
    {
      names: ['resources'],
      kind: 'route',
      key: [0],
      handler: ['controller', 0],
      shape: /^\w+$/,
      members: {
        index: 'GET',
        create: 'POST',
        new: 'GET new',
        show: 'GET :id',
        edit: 'GET :id/edit',
        update: 'PATCH :id',
        destroy: 'DELETE :id',
      },
    },
    {
      names: ['on', 'subscribe'],
      kind: 'event',
      key: [0],
      shape: /^[\w:.]+$/,
      handler: [1],
      needsHandler: true,
    },
  ],
  readNamespace: toCamelCase,
  readHandlerName: readRailsHandler,
};

/** Reads `admin/users#index`, or the controller of resources: `users`. */
function readRailsHandler(text: string): { type: string; member: string } | null {
  const [, folder = '', name, member = ''] = /^((?:\w+\/)*)(\w+)(?:#(\w+))?$/.exec(text) ?? [];
  if (name === undefined) return null;
  const parts = [...folder.split('/').filter(Boolean), `${name}_controller`];
  return { type: parts.map(toCamelCase).join('.'), member };
}

function toCamelCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
