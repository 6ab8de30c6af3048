import { Command as Cmdk } from 'cmdk';
import { FolderGit2, GitBranch, GitCommitHorizontal, Tag } from 'lucide-react';
import type { Revision } from '../../../shared/history.ts';
import { useAnswer } from '../../platform/answer.ts';
import { runCommand } from '../../platform/commands.ts';
import type { Version } from '../../platform/navigation.ts';
import { useApp } from '../../platform/state.ts';
import { SourceText } from '../../ui/controls.tsx';
import styles from './palette.module.css';
import { filterVersions } from './versions.ts';

const ICONS = { branch: GitBranch, remote: GitBranch, tag: Tag, commit: GitCommitHorizontal };

interface Props {
  text: string;
  onChoose: (run: () => void) => void;
  then: (version: Version) => void;
  /** True to offer the working tree as well. */
  workingTree?: boolean;
}

/** Lists the branches, tags and commits that can be searched, and the working tree. */
export function VersionItems({ text, onChoose, then, workingTree = false }: Props) {
  const version = useApp((state) => state.version);
  const repository = useApp((state) => state.repository?.id);
  // The name may be any revision that git accepts. The answer is null without a git repository.
  const asked = repository ? { repository, name: text.trim() } : null;
  const { answer: revisions, failure } = useAnswer('repository.revisions', asked);
  const groups = revisions ? filterVersions(revisions, text) : [];
  const search = ({ kind, name, commit }: Revision) =>
    onChoose(() => then({ revision: commit, name: kind === 'commit' ? null : name }));
  return (
    <>
      <Cmdk.List className={styles.list} label="Versions">
        {workingTree && version && 'working tree'.includes(text.trim().toLowerCase()) && (
          <Cmdk.Group className={styles.group}>
            <Cmdk.Item
              value="working tree"
              className={styles.item}
              onSelect={() => onChoose(() => runCommand('repository.workingTree'))}
            >
              <FolderGit2 size={15} className={styles.kind} />
              <span className={styles.name}>Working tree</span>
              <span className={styles.path}>current files</span>
            </Cmdk.Item>
          </Cmdk.Group>
        )}
        {groups.map(({ heading, revisions: listed }) => (
          <Cmdk.Group key={heading} heading={heading} className={styles.group}>
            {listed.map((revision) => (
              <Line
                key={`${revision.kind} ${revision.name}`}
                revision={revision}
                onChoose={search}
              />
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
      {failure && <div className={styles.empty}>{failure.message}</div>}
      {revisions === null && !failure && (
        <div className={styles.empty} role="status">
          This folder is not in a git repository
        </div>
      )}
      {revisions && groups.length === 0 && (
        <div className={styles.empty} role="status">
          No matching branches, tags or commits
        </div>
      )}
    </>
  );
}

function Line({
  revision,
  onChoose,
}: {
  revision: Revision;
  onChoose: (revision: Revision) => void;
}) {
  const { kind, name, subject, at } = revision;
  const Icon = ICONS[kind];
  return (
    <Cmdk.Item
      value={`${kind} ${name}`}
      className={styles.item}
      onSelect={() => onChoose(revision)}
    >
      <Icon size={15} aria-label={kind} className={styles.kind} />
      <span className={styles.name}>
        <SourceText text={name} className={kind === 'commit' ? styles.id : ''} />
      </span>
      <span className={styles.subject}>
        <SourceText text={subject} />
      </span>
      {at && <time dateTime={at}>{at.slice(0, 10)}</time>}
    </Cmdk.Item>
  );
}
