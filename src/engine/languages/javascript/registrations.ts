import type { RegistrationForms } from '../registration.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const DECORATORS = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options'];

/** Forms of Express, Koa, Fastify, Hono, NestJS, event emitters, commander and yargs. */
export const registrations: RegistrationForms = {
  calls: [
    // app.get('/users', list), router.route('/users').get(list).post(create).
    {
      names: VERBS,
      kind: 'route',
      key: [0],
      handler: [-1],
      method: [{ from: 'callee' }],
      least: 2,
      object:
        /^(?!.*(?:axios|http|client|request|fetch|agent|api|nock|moxios|mock\w{0,40})(?:\(\))?$)/i,
    },
    {
      names: VERBS,
      kind: 'route',
      key: [{ from: 'before', name: 'route' }],
      handler: [-1],
      method: [{ from: 'callee' }],
      least: 1,
    },
    { names: ['all', 'del'], kind: 'route', key: [0], handler: [-1], least: 2 },
    { names: ['use'], kind: 'route', key: [0], handler: [-1], needsHandler: true, least: 2 },
    // NestJS, routing-controllers, tsoa: @Controller('cats'), @Get(':id').
    {
      names: ['Controller', 'JsonController'],
      kind: 'prefix',
      isDecorator: true,
      key: [0, 'path'],
    },
    {
      names: DECORATORS,
      kind: 'route',
      isDecorator: true,
      key: [0, { from: 'nothing' }],
      method: [{ from: 'callee' }],
      shape: /^[\w/:.*-]*$/,
    },
    // emitter.on('user_saved', onUserSaved).
    {
      names: [
        'on',
        'once',
        'addListener',
        'prependListener',
        'addEventListener',
        'subscribe',
        '$on',
      ],
      kind: 'event',
      key: [0],
      handler: [1],
      needsHandler: true,
      shape: /^[\w:./ -]+$/,
      least: 2,
    },
    {
      names: ['OnEvent', 'EventPattern', 'MessagePattern'],
      kind: 'event',
      isDecorator: true,
      key: [0],
    },
    // commander: program.command('export <file>').action(runExport). yargs: .command('export', 'text', builder, handler).
    {
      names: ['action'],
      kind: 'command',
      key: [{ from: 'before', name: 'command' }],
      handler: [0],
    },
    {
      names: ['command'],
      kind: 'command',
      key: [0],
      handler: [-1, 'handler'],
      needsHandler: true,
      least: 2,
    },
    { names: ['option'], kind: 'option', key: [0], shape: /^(?:-\w, )?--\w/ },
  ],
};
