/** Message and remedy for a folder that was opened and is no longer there, as one on a drive that was taken away. */
export const goneInWords = (folder: string) =>
  [`${folder} is no longer there`, 'Put it back, or give the path of another folder.'] as const;
