import { Source } from '../../ui/controls.tsx';
import { useIssue } from '../search/index.ts';

/** `owner/repo#123`, for an issue that was fetched. */
export function FetchedFrom() {
  const source = useIssue((state) => state.source);
  return (
    source && (
      <span title={source.url}>
        <Source text={source.label} />
      </span>
    )
  );
}
