/** Prints, as JSON, the folders among its arguments that this process may read as repositories of a fleet. */
import { AccessChecker } from '../../src/services/fleet/access.ts';

const entries = process.argv
  .slice(2)
  .map((url) => [url, { name: url, url, ref: null, forge: null }] as const);
const { keys } = await new AccessChecker({}).findReadable(new Map(entries));
console.log(JSON.stringify([...keys]));
