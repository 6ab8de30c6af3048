/** Values of TOML and of INI files by their full names, as far as telling a package's name takes. */

/**
 * What a file sets, in its order: `project.name` for `name` in the table `[project]`; a table's own name with `value` null.
 * Values are texts without their quotes; one of several lines is left out. It takes what no parser would, in linear time: a
 * parser of TOML may take much longer than it should over a text that is made for that.
 */
export function* settingsOf(text: string): Generator<{ key: string; value: string | null }> {
  let table = '';
  let until: string | null = null;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (until !== null) {
      if (line.includes(until)) until = null;
    } else if (line.startsWith('[')) {
      table = nameOfTable(line);
      yield { key: table, value: null };
    } else {
      const equals = line.indexOf('=');
      if (equals < 0 || line.startsWith('#') || line.startsWith(';')) continue;
      const value = line.slice(equals + 1).trim();
      until = opensLines(value);
      const key = line.slice(0, equals).trim();
      if (until === null) yield { key: table ? `${table}.${key}` : key, value: unquoted(value) };
    }
  }
}

/** `[a.b]  # comment` and `[[a.b]]` are both a.b. */
function nameOfTable(line: string): string {
  const start = line.startsWith('[[') ? 2 : 1;
  const end = line.indexOf(']');
  return line.slice(start, end < 0 ? undefined : end).trim();
}

/** The quotes that end a value of several lines, where this is the first of them. */
function opensLines(value: string): string | null {
  const quotes = value.slice(0, 3);
  const isLong = quotes === '"""' || quotes === "'''";
  return isLong && !value.includes(quotes, 3) ? quotes : null;
}

function unquoted(value: string): string {
  const [quote = ''] = value;
  if (quote !== '"' && quote !== "'") return value;
  const end = value.indexOf(quote, 1);
  return end < 0 ? value : value.slice(1, end);
}
