/** Appends numbered lines to a log as fast as it can: `log-lines.ts <folder> <name> <count> <maxBytes> <maxFiles>`. */
import { LogFiles } from '../../src/base/log-files.ts';

const [folder = '', name = '', count, maxBytes, maxFiles] = process.argv.slice(2);
const files = new LogFiles(folder, Number(maxBytes), Number(maxFiles));
for (let at = 0; at < Number(count); at++)
  if (!files.append(`${name} ${at} ${'x'.repeat(at % 300)} end\n`)) throw new Error('not appended');
