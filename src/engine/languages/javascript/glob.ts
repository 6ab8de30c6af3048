/** Returns true if a path matches a pattern of names, in which `*` is any part of a name and `**` any number of names. */
export function matchesGlob(pattern: string, path: string): boolean {
  const wanted = splitNames(pattern);
  const names = splitNames(path);
  // Entry n is true if the pattern so far matches the first n names of the path.
  let fits = names.map((_, i) => i === 0).concat(names.length === 0);
  for (const want of wanted) {
    fits = fits.map((_, i) => {
      if (want === '**') return fits.slice(0, i + 1).includes(true);
      return i > 0 && fits[i - 1] === true && matchesName(want, names[i - 1] ?? '');
    });
  }
  return fits.at(-1) ?? false;
}

function splitNames(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Returns true if a name matches a pattern with stars. Each part between stars is found at its first position after the previous one. */
function matchesName(pattern: string, name: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return pattern === name;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + end.length <= name.length;
}
