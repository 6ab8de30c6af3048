/** Makes issues from commits, as queries for training encoders. */
import { createTextQuery, type EncoderQuery } from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { CommitLine } from '../mining/format.ts';
import type { Random } from './random.ts';
import { type Frame, findRuntime, makeTrace } from './runtimes.ts';

/** Material for issues besides the commit. */
export interface CodeAround {
  frameOf(chunk: number): Frame;
  /** Lines of the chunk's body that a traceback can show. */
  linesOf(chunk: number): string[];
  callersOf(chunk: number): readonly number[];
}

const NOISE =
  /\(?#\d+\)?|\b(?:fix(?:es|ed)?|close[sd]?|refs?|resolve[sd]?|see|gh-?)\s*(?::\s*)?#?\d+\b|https?:\/\/\S+|\b[0-9a-f]{7,40}\b|^(?:signed-off-by|co-authored-by|reviewed-by|change-id|closes-bug|cherry picked from).*$/gim;
const PREFIX =
  /^\s*(?:\[[^\]]{1,20}\]|(?:fix|feat|bug|bugfix|chore|refactor|perf|enh|tst|doc|mnt|maint)(?:\([^)]*\))?:)\s*/i;

const HEADINGS = [
  '### Describe the bug|### Steps to Reproduce|### Expected behavior|### Actual behavior|### Environment',
  '**Describe the bug**|**To Reproduce**|**Expected behavior**|**Screenshots**|**Additional context**',
  '#### Description|#### Steps/Code to Reproduce|#### Expected Results|#### Actual Results|#### Versions',
  'Description||||',
  '### Bug summary|### Code for reproduction|### Actual outcome|### Expected outcome|### Matplotlib Version',
  '#### Code Sample, a copy-pastable example if possible|#### Problem description|#### Expected Output||#### Output of show_versions()',
  '||||',
].map((line) => line.split('|'));
const NO_HEADINGS = ['', '', '', '', ''];

const PROSE = [
  'I get the following error:',
  'This is the output I get',
  'Here is a minimal example',
  'It would be nice if this worked.',
  'A clear and concise description of what the bug is.',
  'I would expect this to work.',
  'Is this a bug or am I doing something wrong?',
  'What you expected to happen',
  'This used to work in the previous version.',
  'I think this is a regression.',
  'I have checked that this issue has not already been reported.',
  'The documentation says that this should work',
  'Thanks for the great project!',
  "I'm happy to open a pull request.",
  'Example code',
  'the following code fails',
  'Minimal reproducible example',
  'Not sure if this is intended behaviour.',
  'I found this while working on something else.',
  'Hello, I noticed the following problem',
  'last modified by',
  'any ideas?',
  'Steps to reproduce the behavior:',
];

const SYSTEMS = [
  'OS: Ubuntu 20.04.3 LTS',
  'macOS 10.15.7',
  'Windows 10 Pro 64 bit',
  'Linux-4.15.0-52-generic-x86_64-with-debian-stretch-sid',
  'Operating system: Debian 11',
  'platform linux -- Python 3.8.10, pytest-5.4.1, py-1.8.1, pluggy-0.13.1',
  'OS-release: 3.10.0',
];
/** Number of systems, at the start of the list, that fit runtimes other than Python. */
const PLAIN_SYSTEMS = 3;

const PACKAGES =
  'numpy scipy pandas pip setuptools matplotlib cython dask requests pytest sphinx docutils jinja2 netCDF4 h5py six attrs pluggy django ipython conda distributed sklearn seaborn'.split(
    ' ',
  );
const ERRORS =
  'TypeError ValueError AttributeError KeyError IndexError RuntimeError AssertionError NotImplementedError ImportError UnicodeDecodeError RecursionError OSError ZeroDivisionError NameError UnboundLocalError'.split(
    ' ',
  );
const MESSAGES = ['', 'invalid value', 'expected a string', 'object is not callable', 'must be'];
const LIBRARY_FRAMES = [
  {
    path: '/usr/lib/python3.8/runpy.py',
    name: '_run_module_as_main',
    code: 'return _run_code(code, main_globals, None,',
  },
  {
    path: '/usr/lib/python3.7/site-packages/IPython/core/interactiveshell.py',
    name: 'run_code',
    code: 'exec(code_obj, self.user_global_ns, self.user_ns)',
  },
  {
    path: '/usr/lib/python3.6/threading.py',
    name: 'run',
    code: 'self._target(*self._args, **self._kwargs)',
  },
  {
    path: '/usr/lib/python3.9/importlib/__init__.py',
    name: 'import_module',
    code: 'return _bootstrap._gcd_import(name[level:], package, level)',
  },
  { path: '<ipython-input-3-4d5e1c>', name: '<module>', code: 'main()' },
  { path: 'test.py', name: '<module>', code: 'main()' },
];
const PATH_PREFIXES = ['', '', '/home/user/', '/usr/lib/python3.7/site-packages/'];

/** Returns a query from a real issue, or from a commit's message without the parts that only commits have. */
export function makeMessageQuery({ issue, m }: Pick<CommitLine, 'issue' | 'm'>): EncoderQuery {
  if (issue) return createTextQuery(m);
  return makeFieldsQuery({ ...splitMessage(m), code: '', trace: '' });
}

/** Makes an issue that might have led to the commit. A real issue stays unchanged. */
export function makeIssue(commit: CommitLine, around: CodeAround, random: Random): EncoderQuery {
  if (commit.issue) return makeMessageQuery(commit);
  const { title, text } = splitMessage(commit.m);
  const runtime = findRuntime(around.frameOf(assertPresent(commit.pos[0], 'an edited chunk')).path);
  const headings = random.chance(0.4) ? random.one(HEADINGS) : NO_HEADINGS;
  const tested = random.chance(0.6) ? reproduction(commit.t, random) : [];
  const isTraced = random.chance(0.35);
  const trace = isTraced && !runtime ? traceback(commit, around, random) : [];
  const foreign = isTraced && runtime ? foreignTrace(commit, around, random) : undefined;
  const prose = random.chance(0.4) ? random.some(PROSE, random.whole(0, 4)) : [];
  const system = random.chance(0.25) ? environment(random, runtime?.versions) : [];
  // Many issues have code without fences.
  const isFenced = random.chance(0.7);
  const loose = [
    ...[headings[0], text, ...prose, ...headings.slice(1), ...system, foreign?.text],
    ...(isFenced ? [] : tested),
  ];
  return makeFieldsQuery({
    title,
    text: loose.filter((line) => line !== undefined).join('\n'),
    code: [...(isFenced ? tested : []), foreign?.code ?? ''].join('\n'),
    trace: trace.join('\n'),
  });
}

/** Returns a query of these fields, with their joined text for models without fields. */
export function makeFieldsQuery(fields: EncoderQuery['fields']): EncoderQuery {
  return { text: Object.values(fields).join('\n'), fields };
}

function splitMessage(message: string): { title: string; text: string } {
  const [title = '', ...rest] = message.trim().split('\n');
  return {
    title: title.replace(NOISE, ' ').replace(PREFIX, '').trim(),
    text: rest.join('\n').replace(NOISE, ' ').trim(),
  };
}

/** Makes lines about the reporter's machine. `versions` are those of a runtime other than Python. */
function environment(random: Random, versions?: readonly string[]): string[] {
  if (versions) return [random.one(versions), random.one(SYSTEMS.slice(0, PLAIN_SYSTEMS))];
  const python = `Python ${random.whole(2, 3)}.${random.whole(3, 11)}.${random.whole(0, 12)}`;
  const packages = random.some(PACKAGES, random.whole(0, 12)).map((name) => {
    const version = `${random.whole(0, 6)}.${random.whole(0, 30)}.${random.whole(0, 9)}`;
    return `${name}${random.one(['==', ': ', ' '])}${version}`;
  });
  return [python, random.one(SYSTEMS), ...packages];
}

/** Returns the chunks of a trace, outermost first. It ends in an edited chunk or leads past it. */
function buildChain({ pos, sib }: CommitLine, around: CodeAround, random: Random): number[] {
  const chain = [random.one(pos)];
  while (chain.length < 4 && random.chance(0.75)) {
    const callers = around.callersOf(assertPresent(chain[0], 'a caller'));
    const others = callers.filter((caller) => !chain.includes(caller));
    if (others.length === 0) break;
    chain.unshift(random.one(others));
  }
  if (sib.length > 0 && random.chance(0.4)) chain.push(random.one(sib));
  const unedited = chain.filter((chunk) => !pos.includes(chunk));
  return chain.length > 1 && random.chance(0.35) && unedited.length > 0 ? unedited : chain;
}

/** Makes the fields of a trace of a runtime other than Python. Encoders cannot parse its frames yet. */
function foreignTrace(
  commit: CommitLine,
  around: CodeAround,
  random: Random,
): EncoderQuery['fields'] {
  const frames = buildChain(commit, around, random).reverse().map(around.frameOf);
  const runtime = assertPresent(findRuntime(assertPresent(frames[0], 'a frame').path), 'a runtime');
  const lines = makeTrace(runtime, frames, random);
  const fence = random.chance(0.5) ? ['```'] : [];
  return createTextQuery(['', ...fence, ...lines, ...fence].join('\n')).fields;
}

/** Returns the traceback that was mined with the commit, or makes one that leads to an edited chunk or past it. */
function traceback(commit: CommitLine, around: CodeAround, random: Random): string[] {
  if (commit.trace && random.chance(0.5)) return commit.trace.split('\n');
  const frames = [
    ...random.some(LIBRARY_FRAMES, random.whole(0, 2)),
    ...buildChain(commit, around, random).map((chunk) => {
      const { path, qualifiedName } = around.frameOf(chunk);
      const lines = around.linesOf(chunk);
      const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
      return { path, name, code: lines.length > 0 ? random.one(lines) : '' };
    }),
  ];
  const prefix = random.one(PATH_PREFIXES);
  return [
    'Traceback (most recent call last):',
    ...frames.flatMap(({ path, name, code }) => {
      const file = /^[/<]/.test(path) ? path : prefix + path;
      const frame = `  File "${file}", line ${random.whole(10, 1500)}, in ${name}`;
      return code ? [frame, `    ${code}`] : [frame];
    }),
    `${random.one(ERRORS)}: ${random.one(MESSAGES)}`,
  ];
}

/** Returns consecutive lines that the commit added to tests. */
function reproduction(tests: readonly string[], random: Random): string[] {
  const lines = tests.filter((line) => /^\s*[^\s#]/.test(line));
  const size = random.whole(3, 15);
  const start = random.whole(0, Math.max(0, lines.length - size));
  return lines.slice(start, start + size);
}
