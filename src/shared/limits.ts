/** UTF-16 units of an issue at most; a longer one is refused. Of a long one, search reads parts and says so. */
export const MAX_ISSUE = 5_000_000;
