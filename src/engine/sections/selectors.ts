/** Selectors and statements of style sheets. */
import type { SectionList } from './section-list.ts';

/** At-rules whose first word is a name. */
const NAMED =
  /^@(?:keyframes|-\w+-keyframes|mixin|function|layer|property|counter-style|container)[ \t]+([\w-]+)/;
const NAMES = /(--|[.#%])([A-Za-z_-][\w-]*)/g;
const VARIABLE = /^([$@][\w-]+)[ \t]*:/;

/** Returns the classes, ids, placeholders and custom properties in a selector, and the name that an at-rule gives. */
export function findSelectorKeys(selector: string): string[] {
  if (selector[0] === '@') return [NAMED.exec(selector)?.[1] ?? ''];
  return Array.from(selector.matchAll(NAMES), ([whole, mark, name = '']) =>
    mark === '--' ? whole : name,
  );
}

/** Groups the statements between rules: variables without blank lines between them, and at-statements of the same name. */
export class StatementGroups {
  readonly #list: SectionList;
  #kind = '';
  #lastLine = 0;

  constructor(list: SectionList) {
    this.#list = list;
  }

  /** Adds a statement, which begins and ends on these lines. */
  add(text: string, line: number, endLine: number): void {
    const variable = VARIABLE.exec(text)?.[1];
    const kind = variable ? '$' : (/^@[\w-]+/.exec(text)?.[0] ?? '');
    const name = variable ?? kind;
    const isNext = kind === this.#kind && (kind !== '$' || line - this.#lastLine <= 1);
    if (name !== '' && !isNext) this.#list.open(line, [name]);
    else this.#list.addKey(variable ?? '');
    this.#list.addContent();
    this.#kind = kind;
    this.#lastLine = endLine;
  }

  /** Ends the open group, since a rule follows. */
  end(): void {
    this.#kind = '';
  }
}
