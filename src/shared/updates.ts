/** A check for updates: the request that it would send, and its outcome. */

/** Request that a check would send. Nothing has been sent yet. */
export interface UpdateOffer {
  /** This version of Locus. */
  version: string;
  /** Host of the registry that would be asked, with its port. */
  host: string;
}

export interface UpdateAnswer {
  /** This version of Locus. */
  version: string;
  /** Newest published version. */
  latest: string;
  /** True if the newest published version is newer than this one. */
  isNewer: boolean;
  /** Command that installs it; null for the desktop app, which has a page instead. */
  command: string | null;
  /** Address of the page with the releases, for the desktop app; null if a command installs it. */
  page: string | null;
}
