import type { RegistrationForms } from '../registration.ts';

const MAPPINGS = ['Get', 'Post', 'Put', 'Patch', 'Delete'].map((verb) => `${verb}Mapping`);

/** Forms of Spring, JAX-RS, picocli and events. */
export const registrations: RegistrationForms = {
  calls: [
    {
      names: ['RequestMapping', 'Path'],
      kind: 'prefix',
      isDecorator: true,
      key: [0, 'value', 'path'],
    },
    {
      names: MAPPINGS,
      kind: 'route',
      isDecorator: true,
      key: [0, 'value', 'path', { from: 'nothing' }],
      method: [{ from: 'callee' }],
      shape: /^/,
    },
    {
      names: ['RequestMapping', 'Path'],
      kind: 'route',
      isDecorator: true,
      key: [0, 'value', 'path'],
      method: ['method'],
      shape: /^/,
    },
    { names: ['Command'], kind: 'command', isDecorator: true, key: ['name'] },
    {
      names: ['EventListener', 'KafkaListener', 'RabbitListener', 'JmsListener'],
      kind: 'event',
      isDecorator: true,
      key: ['topics', 'queues', 'destination', 0],
    },
  ],
};
