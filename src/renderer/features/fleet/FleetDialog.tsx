import { Building2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { focusPane, type PaneName } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Dialog } from '../../ui/controls.tsx';
import { FleetIssue } from './FleetIssue.tsx';
import { FleetRepositories } from './FleetRepositories.tsx';
import { FleetResults } from './FleetResults.tsx';
import { FleetSettings } from './FleetSettings.tsx';
import styles from './fleet.module.css';
import { copyEditorIssue } from './fleet.ts';

const TABS = [
  ['results', 'Results'],
  ['repositories', 'Repositories'],
  ['set-up', 'Setup'],
] as const;

/** Searches all repositories of an organization for an issue, and shows the state of each repository. */
export default function FleetDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const fleet = useApp((state) => state.welcome?.fleet);
  const focusNext = useRef<PaneName | null>(null);
  const [view, setView] = useState('results');
  useEffect(() => {
    if (open) copyEditorIssue();
  }, [open]);
  const isSetUp = Boolean(fleet);
  const wasSetUp = useRef(isSetUp);
  useEffect(() => {
    // The next step after setting up a fleet is to enter an issue.
    if (isSetUp && !wasSetUp.current) document.getElementById('fleet-issue')?.focus();
    wasSetUp.current = isSetUp;
  }, [isSetUp]);
  return (
    <Dialog
      title="All repositories"
      size="large"
      open={open}
      onClose={onClose}
      onClosed={() => {
        if (focusNext.current) focusPane(focusNext.current);
        focusNext.current = null;
      }}
    >
      {fleet === null && <NoFleet />}
      {fleet && (
        <div className={styles.fleet}>
          <div className={styles.columns}>
            <FleetIssue places={fleet} onSearch={() => setView('results')} />
            <Tabs.Root className={styles.views} value={view} onValueChange={setView}>
              <Tabs.List className={styles.tabs} aria-label="All repositories">
                {TABS.map(([id, title]) => (
                  <Tabs.Trigger key={id} className={styles.tab} value={id}>
                    {title}
                  </Tabs.Trigger>
                ))}
              </Tabs.List>
              <Tabs.Content className={styles.view} value="results" tabIndex={-1}>
                <FleetResults
                  onOpened={() => {
                    focusNext.current = 'side';
                    onClose();
                  }}
                />
              </Tabs.Content>
              <Tabs.Content className={styles.view} value="repositories" tabIndex={-1}>
                <FleetRepositories objects={fleet.objects} />
              </Tabs.Content>
              <Tabs.Content className={styles.view} value="set-up" tabIndex={-1}>
                <div className={styles.settings}>
                  <FleetSettings places={fleet} />
                </div>
              </Tabs.Content>
            </Tabs.Root>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Explains what a fleet is and how to set one up. Shown if none is set up. */
function NoFleet() {
  return (
    <div className={styles.noFleet}>
      <Building2 size={28} className={styles.noFleetIcon} />
      <h3>No fleet is set up on this machine</h3>
      <p>
        A fleet stores the functions of all repositories of an organization in Milvus, and the list
        of repositories in a folder or an S3 bucket. Until you set one up, Locus contacts neither.
      </p>
      <FleetSettings places={null} />
    </div>
  );
}
