/** Names by which templates include others, as identifiers: `'shop/_cart.html'` is `$shop$_cart$html`. */

/** Start that says where to look, not which file: `./`, `~/Views/`, `@App/`, `mail::`. */
const START = /^(?:\.{1,2}\/|~?\/|[@!][\w-]{1,60}\/|[\w-]{1,60}::)/;
const MAX_NAME = 200;
/** Maximum number of folders that a name has. */
const MAX_FOLDERS = 8;
const EXTENSIONS =
  /(?:\.(?:blade\.php|html?|jinja2?|j2|twig|erb|ejs|hbs|handlebars|mustache|cshtml|razor|xml|txt|text|md)){1,4}$/;

/** Returns the identifier for the name of a template; empty if it is no name. */
export function formatInclude(written: string): string {
  let name = written;
  for (let start = START.exec(name); start; start = START.exec(name))
    name = name.slice(start[0].length);
  if (name.length > MAX_NAME || !/^[\w./:-]+$/.test(name)) return '';
  return `$${name.replace(/[^\w]/g, '$')}`;
}

/**
 * Returns the identifiers that mean a file: the ends of its path, with and without extensions. A name of a partial may begin with
 * an underscore that is left out in the name.
 */
export function listIncludes(path: string): string[] {
  const segments = path.split('/').slice(-MAX_FOLDERS);
  const file = segments.pop() ?? '';
  const stem = file.replace(EXTENSIONS, '');
  const files = new Set([file, stem, file.replace(/\.[^.]*$/, '')]);
  for (const one of [...files]) if (one.startsWith('_')) files.add(one.slice(1));
  return segments.concat('').flatMap((_, i) => {
    const folders = segments.slice(i).map((segment) => `${segment}/`);
    return Array.from(files, (one) => formatInclude(folders.join('') + one)).filter(Boolean);
  });
}
