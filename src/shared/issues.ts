/** Issues that Locus keeps for a repository. */
import { z } from 'zod';

/** Where an issue was fetched from, as it is remembered with it. */
export const issueSource = z.object({
  /** `owner/repo#123` */
  label: z.string().max(2100),
  url: z.string().max(2100),
});
export type IssueSource = z.output<typeof issueSource>;

export interface IssueSummary {
  id: string;
  /** The name given to it, or the first line of its text. */
  title: string;
  renamed: boolean;
  pinned: boolean;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  marks: number;
  /** Where it was fetched from; null for one that was written or pasted. */
  source: IssueSource | null;
}

export interface IssueRecord extends IssueSummary {
  text: string;
}
