/** Message and remedy for a folder that was opened and is no longer there, as one on a drive that was taken away. */
export const goneInWords = (folder: string) =>
  [
    `${folder} is no longer there.`,
    'Put it back, and Locus goes on by itself; or open it where it is now.',
  ] as const;
