/** Why a folder could not be listed, in words; the system's own where they are all there is. */
export function whyUnlisted(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is not a folder',
    EACCES: 'it may not be read',
  };
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && reasons[code]) ?? message;
}
