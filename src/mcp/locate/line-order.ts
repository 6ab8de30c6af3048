/** Orders the lines of a function for an agent, which decides by code and edits it. */
import { COMMENT, type WeighedLines } from '../../services/check/excerpt.ts';

/** Number of lines with words of the issue that other lines are shown around. */
const ANCHORS = 5;
/** Lines without a word, such as a closing bracket, tell nothing. */
const HAS_WORD = /\w\w/;

/** Orders the lines of a likely function: the first line, the most telling ones, then the code around them, docstrings and comments last. */
export function orderAround({ lines, header, mentioned, byWords }: WeighedLines): number[] {
  const isProse = findProse(lines.map(({ text }) => text));
  const telling = byWords.filter((at) => !isProse[at]).slice(0, ANCHORS);
  const [first] = header;
  const anchors = [...(first === undefined ? [] : [first]), ...mentioned, ...telling];
  const distance = (at: number) => Math.min(...anchors.map((anchor) => Math.abs(at - anchor)));
  const others = [...lines.keys()]
    .filter((at) => HAS_WORD.test(lines[at]?.text ?? ''))
    .map((at) => ({ at, isProse: Number(isProse[at]), distance: distance(at) }))
    .sort((a, b) => a.isProse - b.isProse || a.distance - b.distance || a.at - b.at);
  return [...new Set([...anchors, ...others.map(({ at }) => at)])];
}

/** Orders the lines of a function further down: the most telling lines alone, since its row has the name. */
export function orderTelling({ lines, header, mentioned, byWords }: WeighedLines): number[] {
  const isProse = findProse(lines.map(({ text }) => text));
  const code = byWords.filter((at) => !isProse[at]);
  return [...new Set([...mentioned, ...code, ...header])];
}

const DELIMITER = /"{3}|'{3}/g;

/** Finds docstrings and comments. */
function findProse(texts: readonly string[]): boolean[] {
  let isInside = false;
  return texts.map((text) => {
    const wasInside = isInside;
    const delimiters = text.match(DELIMITER)?.length ?? 0;
    if (delimiters % 2 === 1) isInside = !isInside;
    return wasInside || isInside || COMMENT.test(text);
  });
}
