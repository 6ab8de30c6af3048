/** Makes Haskell's source readable for the grammar: the code of literate files, and both branches of conditionals. */
import { blankOut } from '../../blank.ts';

const DIRECTIVE = /^#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b/;
/** Row that begins a declaration (not `(`, which may begin a list of exports), and one that begins none but may be above it. */
const DECLARATION = /^(?:[A-Za-z_]|\([^\w\s()]{1,20}\) ?::)/;
const BEFORE = /^(?:\s*$|--|\{-#|#)/;
const BIRD = /^>/m;
const LATEX_START = /^\\begin\{code\}/;
const LATEX_END = /^\\end\{code\}/;

/** Returns a text of the same length without the prose of a literate file, and without directives between whole declarations. */
export function prepareHaskell(text: string): string {
  const code = isLiterate(text) ? blankProse(text) : text;
  return /^#[ \t]*if/m.test(code) ? blankDirectives(code) : code;
}

/** Returns true for text outside of comments that only a literate file has at the start of a row. */
function isLiterate(text: string): boolean {
  const at = text.search(/^(?:>|\\begin\{code\})/m);
  return at >= 0 && text.lastIndexOf('{-', at) <= text.lastIndexOf('-}', at);
}

function blankProse(text: string): string {
  const marksCode = BIRD.test(text);
  let inCode = false;
  const rows = text.split('\n').map((row) => {
    if (LATEX_END.test(row)) inCode = false;
    const isStart = LATEX_START.test(row);
    const kept = inCode
      ? row
      : marksCode && row.startsWith('>')
        ? ` ${row.slice(1)}`
        : blankOut(row);
    inCode ||= isStart;
    return kept;
  });
  return rows.join('\n');
}

interface Group {
  /** Rows of its directives. */
  rows: number[];
  /** True if a declaration follows each of its directives. */
  isWhole: boolean;
}

/**
 * Blanks the directives of conditionals whose branches are whole declarations, so that those of all branches are read. The grammar
 * skips what is behind `#else`, which is right for parts of an expression or a list.
 */
function blankDirectives(text: string): string {
  const rows = text.split('\n');
  const open: Group[] = [];
  const blanked = new Set<number>();
  let next = true;
  const beginsDeclaration = rows.map(() => true);
  for (const [row, line] of [...rows.entries()].reverse()) {
    beginsDeclaration[row] = next;
    if (!BEFORE.test(line)) next = DECLARATION.test(line);
  }
  for (const [row, line] of rows.entries()) {
    const [, directive] = DIRECTIVE.exec(line) ?? [];
    if (!directive) continue;
    if (directive.startsWith('if')) open.push({ rows: [], isWhole: true });
    const group = open.at(-1);
    if (!group) continue;
    group.rows.push(row);
    group.isWhole &&= beginsDeclaration[row] === true && !line.endsWith('\\');
    if (directive !== 'endif') continue;
    open.pop();
    if (!group.isWhole) continue;
    for (const one of group.rows) blanked.add(one);
    addImports(rows, group.rows, blanked);
  }
  return rows.map((line, row) => (blanked.has(row) ? blankOut(line) : line)).join('\n');
}

/** Adds the rows of imports, which would be behind the declarations of another branch. */
function addImports(
  rows: readonly string[],
  directives: readonly number[],
  blanked: Set<number>,
): void {
  const [first = 0, last = 0] = [directives[0], directives.at(-1)];
  let inImport = false;
  for (let row = first; row < last; row++) {
    inImport = /^import\b/.test(rows[row] ?? '') || (inImport && /^\s/.test(rows[row] ?? ''));
    if (inImport) blanked.add(row);
  }
}
