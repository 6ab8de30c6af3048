/** Finds the ends of statements in the dialects of SQL. */

const TOKEN =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'(?:[^']|'')*'?|"[^"\n]*"?|`[^`\n]*`?|\[[^\]\n]*\]?|(?<quote>\$\w{0,40}\$)|(?<end>;)|^(?<go>GO\b|\/[ \t\r]*$|(?:CREATE|ALTER|DROP|DELIMITER)\b)|\bEND[ \t]{1,8}(?:IF|LOOP|WHILE|REPEAT|FOR)\b|\bBEGIN[ \t]{1,8}TRAN\w*|(?<word>\b(?:BEGIN|CASE|END|AS|IS)\b)/gim;

/**
 * Returns where a statement ends that defines a function or a procedure: at its semicolon, or where its block ends. Without
 * quotes around its code, semicolons before the block are those of declarations.
 */
export function findStatementEnd(text: string, from: number): number {
  let [depth, hasCode, isQuoted] = [0, false, false];
  TOKEN.lastIndex = from;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const { quote, end, go, word = '' } = found.groups ?? {};
    const at = found.index;
    if (found[0].startsWith("'")) isQuoted = true;
    if (quote) {
      isQuoted = true;
      const close = text.indexOf(quote, TOKEN.lastIndex);
      TOKEN.lastIndex = close < 0 ? text.length : close + quote.length;
    }
    if (go) return at;
    if (/^(?:BEGIN|CASE)$/i.test(word)) depth++;
    if (/^(?:AS|IS)$/i.test(word)) hasCode = true;
    if (/^END$/i.test(word) && --depth <= 0) return readDelimiter(text, TOKEN.lastIndex);
    if (end && depth === 0 && (!hasCode || isQuoted)) return TOKEN.lastIndex;
  }
  return text.length;
}

/** Returns the offset behind a name and a delimiter behind `END`: `END cart_total;`, `END //`, `END$$`. */
function readDelimiter(text: string, code: number): number {
  const delimiter = /[ \t]{0,8}\w{0,80}[ \t]{0,8}(?:;|\/\/|\$\$)?[ \t]{0,8}(?:\/\/|\$\$)?/y;
  delimiter.lastIndex = code;
  delimiter.exec(text);
  return Math.max(code, delimiter.lastIndex);
}
