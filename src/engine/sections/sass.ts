import type { Section } from './form.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';
import { findSelectorKeys, StatementGroups } from './selectors.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
const STATEMENT = /^(?:[$][\w-]+[ \t]*:|@(?:import|use|forward|charset)\b)/;

/** Splits indented style sheets by the lines that are not indented. */
export function splitSass(text: string): Section[] {
  const list = new SectionList();
  const statements = new StatementGroups(list);
  /** True behind a selector that goes on in the next line. */
  let continues = false;
  const lineCount = readLines(text, (line, number) => {
    const at = findText(line);
    const written = line.slice(at, at + MAX_READ).trimEnd();
    if (written === '') return;
    if (at === 0 && /^\/[/*]/.test(written)) list.addComment(number);
    else if (at > 0 || continues) for (const key of findKeys(written)) list.addKey(key);
    else if (STATEMENT.test(written)) statements.add(written, number, number);
    else {
      statements.end();
      list.open(number, [written.replace(/,$/, '')], findSelectorKeys(written));
      list.addContent();
    }
    continues = (at === 0 || continues) && written.endsWith(',');
  });
  return list.end(lineCount);
}

/** Returns the names in a nested line, unless it is a declaration. */
function findKeys(written: string): string[] {
  return /^[\w-]+[ \t]*:[ \t]/.test(written)
    ? [/^(--[\w-]+)/.exec(written)?.[1] ?? '']
    : findSelectorKeys(written);
}
