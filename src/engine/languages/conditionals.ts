/** Which lines of conditional groups (`#if … #else … #endif`) a parser is better not shown. */
import { blank } from './blank.ts';

/** Deeper nested groups are left as they are. */
const DEEPEST = 64;
const DIRECTIVE = /^[ \t]*#[ \t]*(\w*)(.*)/s;
/** Comments and literals, to their end or that of the text or the line. */
const OPAQUE =
  /"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n]){1,12}'|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;
/** What a branch begins or ends with that goes on with something outside of it. */
const GOES_ON_FROM = /^(?:else\b|[,|&?:+.=)\]]|-(?!-))/;
const GOES_ON = /(?:[,|&?+=(]|(?<!\+)\+|\belse)$/;

/** How many braces and brackets are open. */
interface Depth {
  braces: number;
  brackets: number;
}

interface Branch {
  /** Row of its directive. */
  row: number;
  /** The rest of that line. */
  condition: string;
  /** Whether it is more or less than whole statements or declarations. */
  isTorn: boolean;
  first: string;
  last: string;
  end: Depth;
}

interface Group {
  start: Depth;
  branches: Branch[];
}

/**
 * Rows of groups whose branches are no whole declarations or statements: their directives, and all branches but one,
 * so that what is left nests.
 */
export function conditionalLines(lines: readonly string[]): Set<number> {
  return new Conditionals(lines).find();
}

/** The text with white space for these lines, in languages whose grammars know all else of the preprocessor. */
export function withoutTornConditions(text: string): string {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text;
  const lines = text.split('\n');
  for (const row of conditionalLines(lines)) lines[row] = blank(lines[row] ?? '');
  return lines.join('\n');
}

class Conditionals {
  readonly #lines: readonly string[];
  readonly #left = new Set<number>();
  readonly #open: Group[] = [];
  #at: Depth = { braces: 0, brackets: 0 };

  constructor(lines: readonly string[]) {
    this.#lines = lines.join('\n').replace(OPAQUE, blank).split('\n');
  }

  find(): Set<number> {
    let inDirective = false;
    for (const [row, line] of this.#lines.entries()) {
      const directive: RegExpExecArray | null = inDirective ? null : DIRECTIVE.exec(line);
      if (directive) this.#direct(row, directive[1] ?? '', directive[2] ?? '');
      else if (!inDirective) this.#read(line.trim());
      inDirective = (inDirective || directive !== null) && /\\\r?$/.test(line);
    }
    return this.#left;
  }

  #direct(row: number, name: string, condition: string): void {
    if (/^if(?:n?def)?$/.test(name)) {
      this.#open.push({ start: this.#at, branches: [this.#branch(row, condition)] });
      return;
    }
    const group = this.#open.at(-1);
    if (!group) return;
    if (/^(?:else|elif(?:n?def)?)$/.test(name)) {
      this.#close(group);
      this.#at = group.start;
      group.branches.push(this.#branch(row, condition));
    } else if (name === 'endif') {
      this.#close(group);
      this.#open.pop();
      this.#end(group, row);
    }
  }

  #branch(row: number, condition: string): Branch {
    return { row, condition, isTorn: false, first: '', last: '', end: this.#at };
  }

  #read(line: string): void {
    if (line === '') return;
    let { braces, brackets } = this.#at;
    const group = this.#open.at(-1);
    const branch = group?.branches.at(-1);
    for (const char of line) {
      if (char === '{') braces++;
      else if (char === '}') braces--;
      else if (char === '(' || char === '[') brackets++;
      else if (char === ')' || char === ']') brackets--;
      if (group && branch && (braces < group.start.braces || brackets < group.start.brackets))
        branch.isTorn = true;
    }
    this.#at = { braces, brackets };
    if (!branch) return;
    branch.first ||= line;
    branch.last = line;
  }

  #close({ start }: Group): void {
    const branch = this.#open.at(-1)?.branches.at(-1);
    if (!branch) return;
    branch.end = this.#at;
    branch.isTorn ||=
      start.brackets > 0 ||
      this.#at.braces !== start.braces ||
      this.#at.brackets !== start.brackets ||
      GOES_ON_FROM.test(branch.first) ||
      GOES_ON.test(branch.last);
  }

  #end({ start, branches }: Group, endRow: number): void {
    const isHeader = /^\s*\{/.test(this.#lines[endRow + 1] ?? '');
    const isTorn = branches.some(
      (branch) => branch.isTorn || (isHeader && /[^;{}]$/.test(branch.last)),
    );
    const kept = isTorn ? keptOf(branches) : branches[0];
    this.#at = kept?.end ?? start;
    const outer = this.#open.at(-1)?.branches.at(-1);
    if (outer && kept) {
      outer.first ||= kept.first;
      outer.last = kept.last || outer.last;
    }
    if (!isTorn || this.#open.length >= DEEPEST) return;
    this.#left.add(endRow);
    for (const [i, branch] of branches.entries()) {
      const next = branches[i + 1]?.row ?? endRow;
      const last = branch === kept ? branch.row + 1 : next;
      for (let row = branch.row; row < last; row++) this.#left.add(row);
    }
  }
}

/** The first branch, unless it is left out by all compilers or only taken to make a header of C one of C++. */
function keptOf(branches: readonly Branch[]): Branch | undefined {
  const isOff = ({ condition }: Branch) =>
    /^\s*(?:0|false)\b/.test(condition) || condition.includes('__cplusplus');
  const [first] = branches;
  return first && isOff(first) ? branches[1] : first;
}
