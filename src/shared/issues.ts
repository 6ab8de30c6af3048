/** Issues that Locus keeps for a repository. */

export interface IssueSummary {
  id: string;
  /** The name given to it, or the first line of its text. */
  title: string;
  renamed: boolean;
  pinned: boolean;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Marks given to chunks for it. */
  marks: number;
}

export interface IssueRecord extends IssueSummary {
  text: string;
}
