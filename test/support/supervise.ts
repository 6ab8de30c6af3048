/** Supervises a server with the options in `process.argv[2]` as JSON. Prints its address, and the reason for each restart. */
import { superviseServer } from '../../src/server/supervised-server.ts';

const server = await superviseServer(JSON.parse(process.argv[2] ?? '{}'), (reason) =>
  console.log(reason),
);
console.log(server.address.url);
process.on('SIGTERM', () => server[Symbol.asyncDispose]());
