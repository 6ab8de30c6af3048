/** Finds lines of conditional groups (`#if … #else … #endif`) that must be hidden from a parser. */
import { blankOut } from './blank.ts';

/** Maximum nesting of groups. Deeper ones are left unchanged. */
const MAX_DEPTH = 64;
const DIRECTIVE = /^[ \t]*#[ \t]*(\w*)(.*)/s;
/** Comments and literals, up to their end, or that of the line or text. */
const OPAQUE =
  /"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n]){1,12}'|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;
/** Start or end of a branch that continues code outside it. */
const CONTINUES_PREVIOUS = /^(?:else\b|[,|&?:+.=)\]]|-(?!-))/;
const CONTINUES_NEXT = /(?:[,|&?+=(]|(?<!\+)\+|\belse)$/;

/** Number of open braces and brackets. */
interface Depth {
  braces: number;
  brackets: number;
}

interface Branch {
  /** Row of the directive. */
  row: number;
  /** Rest of the directive's line. */
  condition: string;
  /** True if the branch does not consist of whole statements or declarations. */
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
 * Finds groups whose branches are not whole declarations or statements. Returns the rows of their directives, and of all
 * branches but one, so that the remaining braces and brackets are balanced.
 */
export function findTornLines(lines: readonly string[]): Set<number> {
  return new Conditionals(lines).find();
}

/** Blanks these lines in a text, for languages whose grammars understand all other preprocessor code. */
export function blankTornConditions(text: string): string {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text;
  const lines = text.split('\n');
  for (const row of findTornLines(lines)) lines[row] = blankOut(lines[row] ?? '');
  return lines.join('\n');
}

class Conditionals {
  readonly #lines: readonly string[];
  readonly #blankedRows = new Set<number>();
  readonly #open: Group[] = [];
  #depth: Depth = { braces: 0, brackets: 0 };

  constructor(lines: readonly string[]) {
    this.#lines = lines.join('\n').replace(OPAQUE, blankOut).split('\n');
  }

  find(): Set<number> {
    let inDirective = false;
    for (const [row, line] of this.#lines.entries()) {
      const directive: RegExpExecArray | null = inDirective ? null : DIRECTIVE.exec(line);
      if (directive) this.#handleDirective(row, directive[1] ?? '', directive[2] ?? '');
      else if (!inDirective) this.#readLine(line.trim());
      inDirective = (inDirective || directive !== null) && /\\\r?$/.test(line);
    }
    return this.#blankedRows;
  }

  #handleDirective(row: number, name: string, condition: string): void {
    if (/^if(?:n?def)?$/.test(name)) {
      this.#open.push({ start: this.#depth, branches: [this.#createBranch(row, condition)] });
      return;
    }
    const group = this.#open.at(-1);
    if (!group) return;
    if (/^(?:else|elif(?:n?def)?)$/.test(name)) {
      this.#closeBranch(group);
      this.#depth = group.start;
      group.branches.push(this.#createBranch(row, condition));
    } else if (name === 'endif') {
      this.#closeBranch(group);
      this.#open.pop();
      this.#endGroup(group, row);
    }
  }

  #createBranch(row: number, condition: string): Branch {
    return { row, condition, isTorn: false, first: '', last: '', end: this.#depth };
  }

  #readLine(line: string): void {
    if (line === '') return;
    let { braces, brackets } = this.#depth;
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
    this.#depth = { braces, brackets };
    if (!branch) return;
    branch.first ||= line;
    branch.last = line;
  }

  #closeBranch({ start }: Group): void {
    const branch = this.#open.at(-1)?.branches.at(-1);
    if (!branch) return;
    branch.end = this.#depth;
    branch.isTorn ||=
      start.brackets > 0 ||
      this.#depth.braces !== start.braces ||
      this.#depth.brackets !== start.brackets ||
      CONTINUES_PREVIOUS.test(branch.first) ||
      CONTINUES_NEXT.test(branch.last);
  }

  #endGroup({ start, branches }: Group, endRow: number): void {
    const isHeader = /^\s*\{/.test(this.#lines[endRow + 1] ?? '');
    const isTorn = branches.some(
      (branch) => branch.isTorn || (isHeader && /[^;{}]$/.test(branch.last)),
    );
    const kept = isTorn ? chooseBranch(branches) : branches[0];
    this.#depth = kept?.end ?? start;
    const outer = this.#open.at(-1)?.branches.at(-1);
    if (outer && kept) {
      outer.first ||= kept.first;
      outer.last = kept.last || outer.last;
    }
    if (!isTorn || this.#open.length >= MAX_DEPTH) return;
    this.#blankedRows.add(endRow);
    for (const [i, branch] of branches.entries()) {
      const next = branches[i + 1]?.row ?? endRow;
      const last = branch === kept ? branch.row + 1 : next;
      for (let row = branch.row; row < last; row++) this.#blankedRows.add(row);
    }
  }
}

/** Returns the first branch; the second if the first is never compiled, or only makes a C header usable in C++. */
function chooseBranch(branches: readonly Branch[]): Branch | undefined {
  const isOff = ({ condition }: Branch) =>
    /^\s*(?:0|false)\b/.test(condition) || condition.includes('__cplusplus');
  const [first] = branches;
  return first && isOff(first) ? branches[1] : first;
}
