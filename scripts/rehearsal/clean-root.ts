/** A Linux system in a folder that has only Debian's required packages and Node, without network: what a stranger's machine has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureProgram } from '../debian.ts';

/** Folders of the root that are links into `usr` on Debian. */
const MERGED = ['bin', 'sbin', 'lib', 'lib64'];
const EMPTY = ['dev', 'proc', 'root', 'tmp', 'etc', 'usr/local/bin', 'usr/local/lib/node_modules'];

/** Makes the root in a folder from files of this system. @throws Error if this is not Debian */
function makeCleanRoot(root: string): void {
  for (const name of [...MERGED.map((one) => `usr/${one}`), ...EMPTY])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of MERGED) symlinkSync(`usr/${name}`, join(root, name));
  const files = query('-L', ...listBasePackages())
    .split('\n')
    .filter((path) => path.startsWith('/') && path !== '/.' && existsSync(path));
  const options = ['--no-recursion', '--null', '--files-from', '-'];
  const archive = execFileSync('tar', ['-C', '/', '-cf', '-', ...options], {
    input: files.map((path) => `.${path}`).join('\0'),
    maxBuffer: 2e9,
  });
  execFileSync('tar', ['-C', root, '--keep-directory-symlink', '-xf', '-'], { input: archive });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  addNode(root);
}

function addNode(root: string): void {
  cpSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  const program = realpathSync(ensureProgram('npm'));
  cpSync(dirname(dirname(program)), join(root, 'usr/local/lib/node_modules/npm'), {
    recursive: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

/** Returns Debian's required packages and what they depend on. */
function listBasePackages(): string[] {
  const format = ['Package', 'Priority', 'Pre-Depends', 'Depends']
    .map((field) => `\${${field}}`)
    .join('\t');
  const installed = new Map(
    query('-W', '-f', `${format}\n`)
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name = '', priority = '', ...depends]) => [
        name,
        { priority, depends: depends.join() },
      ]),
  );
  const wanted = new Set(
    [...installed].flatMap(([name, { priority }]) => (priority === 'required' ? [name] : [])),
  );
  // The set grows while it is read.
  for (const name of wanted)
    for (const [, dependency = ''] of (installed.get(name)?.depends ?? '').matchAll(
      /(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)/g,
    ))
      if (installed.has(dependency)) wanted.add(dependency);
  return [...wanted];
}

const query = (...args: string[]) =>
  execFileSync('dpkg-query', args, { encoding: 'utf8', maxBuffer: 1e8 });

/** Enters the root: with its own processes, devices of this system, and a network that has only the loopback. */
const ENTER = `mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && ip link set lo up && root="$1" && shift &&
  exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin "$@"`;

/** Returns the command that runs a program in a root. The mounts end with the program. */
export function enterRoot(root: string, ...command: string[]): string[] {
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const spaces = ['--mount', '--pid', '--fork', '--net', '--kill-child', ...user];
  return ['unshare', ...spaces, 'sh', '-c', ENTER, 'sh', root, ...command];
}

/** Returns the reason why a root cannot be made and entered here; null if it was made. */
export function tryCleanRoot(root: string): string | null {
  if (process.platform !== 'linux') return 'this is not Linux';
  try {
    makeCleanRoot(root);
  } catch (error) {
    return (error as Error).message;
  }
  const [program = '', ...args] = enterRoot(root, 'node', '--version');
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? null : stderr.trim();
}
