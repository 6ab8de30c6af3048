import { SourceText } from '../../ui/controls.tsx';

/** Shows a name or path with the characters at these offsets emphasized. Offsets outside the text are ignored. */
export function MatchedText({ text, offsets }: { text: string; offsets: readonly number[] }) {
  return splitAtMatches(text, offsets).map(({ at, part, matches }) =>
    matches ? (
      <b key={at}>
        <SourceText text={part} />
      </b>
    ) : (
      <SourceText key={at} text={part} />
    ),
  );
}

interface Part {
  /** Offset in the text. */
  at: number;
  part: string;
  matches: boolean;
}

/** Splits a text into the longest parts that match or do not. */
function splitAtMatches(text: string, offsets: readonly number[]): Part[] {
  const matched = new Set(offsets);
  const parts: Part[] = [];
  let at = 0;
  for (let end = 1; end <= text.length; end++) {
    const matches = matched.has(at);
    if (end < text.length && matched.has(end) === matches) continue;
    parts.push({ at, part: text.slice(at, end), matches });
    at = end;
  }
  return parts;
}
