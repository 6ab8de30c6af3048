import type { RegistrationForms } from '../registration.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'options', 'any'];

/** Forms of Laravel, Symfony and Slim. */
export const registrations: RegistrationForms = {
  calls: [
    // Route::get('/users', [UserController::class, 'index']), 'UserController@index', an invokable class.
    {
      names: VERBS,
      kind: 'route',
      key: [0],
      handler: [1],
      needsHandler: true,
      method: [{ from: 'callee' }],
      shape: /^[\w/{}?.:*-]*$/,
      object: /(?:^|\\|\.)(?:Route|\$app|\$group|\$router|\$routes|\$route)(?:\(\)|$|\.)/,
      least: 2,
    },
    {
      names: ['resource', 'apiResource'],
      kind: 'route',
      key: [0],
      handler: [1],
      needsHandler: true,
      shape: /^[\w/.-]+$/,
      object: /(?:^|\\|\.)Route(?:\(\)|$|\.)/,
      members: {
        index: 'GET',
        create: 'GET create',
        store: 'POST',
        show: 'GET :id',
        edit: 'GET :id/edit',
        update: 'PUT :id',
        destroy: 'DELETE :id',
      },
    },
    { names: ['prefix', 'group'], kind: 'prefix', key: [0] },
    // Symfony: #[Route('/users', methods: ['GET'])], #[AsCommand(name: 'app:export')].
    { names: ['Route'], kind: 'prefix', isDecorator: true, key: [0, 'path'] },
    { names: ['Route'], kind: 'route', isDecorator: true, key: [0, 'path'], method: ['methods'] },
    { names: ['AsCommand'], kind: 'command', isDecorator: true, key: ['name', 0] },
    { names: ['AsEventListener'], kind: 'event', isDecorator: true, key: ['event', 0] },
    {
      names: ['setName'],
      kind: 'command',
      key: [0],
      shape: /^[a-z][\w-]*(?::[\w-]+)*$/,
      object: /^\$this$/,
    },
    // Event::listen(UserSaved::class, [Listener::class, 'handle']).
    { names: ['listen'], kind: 'event', key: [0], handler: [1], needsHandler: true, least: 2 },
  ],
  readHandlerName(text) {
    const [, type, member = ''] = /^([\w\\]+)(?:@|::)(\w+)$/.exec(text) ?? [];
    return type === undefined ? null : { type: type.replaceAll('\\', '.'), member };
  },
};
