/** What is open stands in the window's address, so that reloading, going back and links work. */
export interface Place {
  root: string;
  revision?: string | null;
}

export function placeInAddress(): Place | null {
  const query = new URLSearchParams(location.hash.slice(1));
  const root = query.get('root');
  return root ? { root, revision: query.get('revision') } : null;
}

export function showPlace(place: Place | null): void {
  const hash = place
    ? `#${new URLSearchParams({ root: place.root, ...(place.revision && { revision: place.revision }) })}`
    : '';
  if (hash !== location.hash) history.pushState(null, '', hash || location.pathname);
}
