import type { ForgeName, IssueLink } from '../../shared/issue-link.ts';

/** An issue, or a change with a description, as a forge tells it. */
export interface RemoteIssue {
  title: string;
  /** Markdown, with the comments of templates in it; empty where there is none. */
  body: string;
}

/** A comment of a person. */
export interface RemoteComment {
  author: string;
  /** ISO 8601. */
  at: string;
  /** Markdown. */
  body: string;
}

/** A page of comments, oldest first. */
interface CommentPage {
  comments: RemoteComment[];
  /** Whether there may be another. */
  more: boolean;
}

/** How one kind of forge is asked for an issue, by its published API. */
export interface Forge {
  name: ForgeName;
  title: string;
  /** The host of its API for a link's: GitHub has one of its own. */
  apiHost(link: IssueLink): string;
  /** What answers with the issue or the change. */
  issueUrl(link: IssueLink): string;
  /** What answers with a page of its comments, from 1. */
  commentsUrl(link: IssueLink, page: number): string;
  /** Headers of every request; `token` is for this host alone. */
  headers(token: string | null): Record<string, string>;
  /** Null for an answer of another form. */
  readIssue(answer: unknown): RemoteIssue | null;
  readComments(answer: unknown): CommentPage | null;
  /** The header with the time, in seconds since 1970, from which requests are answered again. */
  resetHeader: string;
}

/** Comments in a page. */
export const PAGE = 50;
