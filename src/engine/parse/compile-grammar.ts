/**
 * Compiles the WebAssembly of grammars. V8 compiles a function quickly first, and once more with optimizations if it is used often. For
 * the largest lexers that takes up to 25 s of a processor and 4 GB, for a parser that is a tenth faster. So those are never optimized.
 */
import { setFlagsFromString } from 'node:v8';
import { Language } from 'web-tree-sitter';

// TypeScript declares WebAssembly only together with the DOM.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => Parameters<typeof Language.loadSync>[0];
};

/** Bytes of WebAssembly above which a function is not optimized. Optimizing takes about one second and 200 MB at this size. */
const MAX_OPTIMIZED = 100_000;

/** Options of V8 that decide whether and when it optimizes WebAssembly. It has none for a single module. */
const OPTIMIZED = ['--wasm-lazy-compilation', '--wasm-tier-up', '--wasm-dynamic-tiering'];
const COMPILED_ONCE = OPTIMIZED.map((option) => option.replace('--', '--no-'));

/** Compiles a grammar, and never optimizes one with a large function. @throws the engine's error for invalid code */
export async function compileGrammar(code: Uint8Array): Promise<Language> {
  if (measureLargestFunction(code) <= MAX_OPTIMIZED) return Language.load(code);
  // The options hold for the process, but only for these milliseconds.
  for (const option of COMPILED_ONCE) setFlagsFromString(option);
  try {
    return Language.loadSync(new WebAssembly.Module(code));
  } finally {
    for (const option of OPTIMIZED) setFlagsFromString(option);
  }
}

/** Bytes before the first section: a magic number and a version. */
const HEADER = 8;
const CODE_SECTION = 10;

/** Returns the size of the largest function in bytes; 0 if the code has none or is invalid. */
function measureLargestFunction(code: Uint8Array): number {
  const reader = new Reader(code, HEADER);
  while (reader.at < code.length) {
    const section = reader.readNumber();
    const size = reader.readNumber();
    if (section === CODE_SECTION) return reader.readLargestBody();
    reader.at += size;
  }
  return 0;
}

class Reader {
  at: number;
  private readonly code: Uint8Array;

  constructor(code: Uint8Array, at: number) {
    this.code = code;
    this.at = at;
  }

  /** Reads a number of seven bits a byte, lowest first. */
  readNumber(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.code[this.at++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  /** Returns the size of the largest function body of the code section that starts here. */
  readLargestBody(): number {
    let largest = 0;
    for (let left = this.readNumber(); left > 0 && this.at < this.code.length; left--) {
      const size = this.readNumber();
      largest = Math.max(largest, size);
      this.at += size;
    }
    return largest;
  }
}
