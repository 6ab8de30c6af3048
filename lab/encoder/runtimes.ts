/** Makes synthetic error output of runtimes other than Python's, for chunks of their languages. */
import { posix } from 'node:path';
import type { Random } from './random.ts';

/** A chunk on the path of a trace. */
export interface Frame {
  path: string;
  qualifiedName: string;
}

interface Runtime {
  /** Names of its error types. */
  errors: string[];
  /** Version lines with which users describe their machine. */
  versions: string[];
  /** Returns the lines before the frames. */
  opening(error: string, message: string): string[];
  /** Returns the lines of a frame. `place` is its number; 0 is the innermost. */
  frame(place: number, path: string, name: string, line: number): string[];
}

const ENDINGS = [
  ...['', '', 'null', 'invalid value', 'unexpected token', 'not found', 'index out of range'],
  'already closed',
];
const PREFIXES = ['', '', '/home/user/', '/app/', './'];

const plain: Runtime['opening'] = (error, message) => [`${error}: ${message}`];
const jvmFrame: Runtime['frame'] = (_, path, name, line) => {
  const { dir, base, name: stem } = posix.parse(path);
  const folder = dir.split(/\/(?:java|kotlin)\//).at(-1) ?? '';
  const owner = name.includes('.') ? name : `${stem}.${name}`;
  return [`\tat ${dotted(folder)}.${owner}(${base}:${line})`];
};
const dotted = (folder: string) => folder.replace(/^[./]+|[./]+$/g, '').replaceAll('/', '.');

const JVM_ERRORS = [
  'java.lang.NullPointerException',
  'java.lang.IllegalArgumentException',
  'java.lang.IllegalStateException',
  'java.lang.ClassCastException',
  'java.io.IOException',
  'java.lang.UnsupportedOperationException',
  'java.util.NoSuchElementException',
  'java.lang.IndexOutOfBoundsException',
  'java.util.concurrent.TimeoutException',
];

/** Runtimes by file extension. */
const RUNTIMES: Record<string, Runtime> = {
  java: {
    errors: JVM_ERRORS,
    versions: ['openjdk version 17.0.9', 'Java 8', 'JDK 11', 'Maven 3.8.6'],
    opening: (error, message) => [`Exception in thread "main" ${error}: ${message}`],
    frame: jvmFrame,
  },
  'kt kts': {
    errors: JVM_ERRORS,
    versions: ['Kotlin 1.9.10', 'JDK 17', 'Gradle 8.2', 'Android 13'],
    opening: plain,
    frame: jvmFrame,
  },
  'js jsx mjs cjs ts tsx mts cts': {
    errors: [
      ...['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'Error', 'AssertionError'],
      'UnhandledPromiseRejection',
    ],
    versions: ['Node v18.17.0', 'npm 9.6.7', 'Chrome 115', 'TypeScript 5.1.6', 'Node.js 20'],
    opening: plain,
    frame: (_, path, name, line) => [`    at ${name} (${path}:${line}:${(line % 60) + 1})`],
  },
  go: {
    errors: [
      'runtime error: invalid memory address or nil pointer dereference',
      'runtime error: index out of range',
      'assignment to entry in nil map',
      'send on closed channel',
    ],
    versions: ['go version go1.20.6 linux/amd64', 'go1.18 darwin/arm64', 'GOOS=linux'],
    opening: (error) => [`panic: ${error}`, '', 'goroutine 1 [running]:'],
    frame: (_, path, name, line) => {
      const hex = line.toString(16);
      const address = hex.padStart(5, '0');
      return [`${posix.dirname(path)}.${name}(0xc0000${address})`, `\t${path}:${line} +0x${hex}`];
    },
  },
  rs: {
    errors: [
      'called `Option::unwrap()` on a `None` value',
      'called `Result::unwrap()` on an `Err` value',
      'attempt to subtract with overflow',
      'index out of bounds',
    ],
    versions: ['rustc 1.71.0', 'cargo 1.70.0', 'stable-x86_64-unknown-linux-gnu'],
    opening: (error) => [`thread 'main' panicked at '${error}'`, 'stack backtrace:'],
    frame: (place, path, name, line) => [
      `  ${String(place).padStart(2)}: ${name.replaceAll('.', '::')}`,
      `             at ${path}:${line}:${(line % 60) + 1}`,
    ],
  },
  cs: {
    errors: [
      'System.NullReferenceException',
      'System.ArgumentException',
      'System.InvalidOperationException',
      'System.ArgumentNullException',
      'System.InvalidCastException',
      'System.NotSupportedException',
    ],
    versions: ['.NET 6.0.20', '.NET Framework 4.8', 'Visual Studio 2022', 'netstandard2.0'],
    opening: (error, message) => [`Unhandled exception. ${error}: ${message}`],
    frame: (_, path, name, line) => [
      `   at ${dotted(posix.dirname(path))}.${name}() in ${path}:line ${line}`,
    ],
  },
  rb: {
    errors: [
      ...['NoMethodError', 'ArgumentError', 'TypeError', 'NameError', 'KeyError', 'RuntimeError'],
      'Encoding::UndefinedConversionError',
    ],
    versions: ['ruby 3.1.2p20', 'Rails 7.0.4', 'Bundler 2.4.13', 'jruby 9.4'],
    opening: plain,
    frame: (place, path, name, line) => [
      `${place === 0 ? '' : '\tfrom '}${path}:${line}:in \`${name.split('.').at(-1)}'`,
    ],
  },
  php: {
    errors: [
      ...['TypeError', 'ErrorException', 'InvalidArgumentException', 'RuntimeException'],
      ...['LogicException', 'ArgumentCountError'],
    ],
    versions: ['PHP 8.1.2', 'PHP 7.4.33', 'Composer 2.5.8'],
    opening: (error, message) => [
      `PHP Fatal error:  Uncaught ${error}: ${message}`,
      'Stack trace:',
    ],
    frame: (place, path, name, line) => [
      `#${place} ${path}(${line}): ${name.replaceAll('.', '->')}()`,
    ],
  },
  'c h cc cpp cxx hpp hh hxx ipp': {
    errors: [
      'Segmentation fault (core dumped)',
      'AddressSanitizer: heap-buffer-overflow',
      'AddressSanitizer: heap-use-after-free',
      'Assertion failed',
      'Program received signal SIGABRT, Aborted.',
    ],
    versions: ['gcc 12.2.0', 'clang 15.0.7', 'cmake 3.25.1', 'glibc 2.36', 'MSVC 19.34'],
    opening: (error) => [error],
    frame: (place, path, name, line) => {
      const address = ((line * 7919) % 0xffffff).toString(16).padStart(6, '0');
      const function_ = name.replaceAll('.', '::');
      return [`#${place}  0x00007f${address} in ${function_} () at ${path}:${line}`];
    },
  },
};

const BY_ENDING = new Map(
  Object.entries(RUNTIMES).flatMap(([endings, runtime]) =>
    endings.split(' ').map((ending) => [`.${ending}`, runtime]),
  ),
);

/** Returns the runtime of a source file; undefined for Python and unknown languages. */
export function findRuntime(path: string): Runtime | undefined {
  return BY_ENDING.get(posix.extname(path).toLowerCase());
}

/** Makes the lines of a trace. `frames` start with the innermost. */
export function makeTrace(runtime: Runtime, frames: readonly Frame[], random: Random): string[] {
  const prefix = random.one(PREFIXES);
  return [
    ...runtime.opening(random.one(runtime.errors), random.one(ENDINGS)),
    ...frames.flatMap(({ path, qualifiedName }, place) =>
      runtime.frame(place, prefix + path, qualifiedName, random.whole(10, 1500)),
    ),
  ];
}
