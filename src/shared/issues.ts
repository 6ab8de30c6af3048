/** Saved issues of a repository. */
import { z } from 'zod';

/** Source of a fetched issue, stored with it. */
export const issueSource = z.object({
  /** `owner/repo#123` */
  label: z.string().max(2100),
  url: z.string().max(2100),
});
export type IssueSource = z.output<typeof issueSource>;

export interface IssueSummary {
  id: string;
  /** Name that the user gave it, or the first line of its text. */
  title: string;
  renamed: boolean;
  pinned: boolean;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  marks: number;
  /** Page that it was fetched from; null if it was written or pasted. */
  source: IssueSource | null;
}

export interface IssueRecord extends IssueSummary {
  text: string;
}
