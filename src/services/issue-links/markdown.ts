import type { RemoteComment, RemoteIssue } from './forge.ts';

/** Comments that a text takes at most, and their characters, all together. */
export const MOST_COMMENTS = 200;
const MOST_CHARACTERS = 200_000;

/** An issue as text, with as many of its comments as are taken. Bodies stay as they are, but for ends of lines. */
export function issueText(
  { title, body }: RemoteIssue,
  comments: readonly RemoteComment[],
): string {
  const parts = [oneLine(title), unix(body).trim(), ...comments.map(commentText)];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** The first comments, as many as there is room for. */
export function withinBounds(comments: readonly RemoteComment[]): RemoteComment[] {
  let characters = 0;
  return comments.slice(0, MOST_COMMENTS).filter(({ body }) => {
    characters += body.length;
    return characters <= MOST_CHARACTERS;
  });
}

function commentText({ author, at, body }: RemoteComment): string {
  return `## Comment by ${oneLine(author)}, ${oneLine(at).slice(0, 10)}\n\n${unix(body).trim()}`;
}

const unix = (text: string) => text.replace(/\r\n?/g, '\n');
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
