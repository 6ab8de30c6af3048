import { Building2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { focusPane, type PaneName } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Dialog } from '../../ui/controls.tsx';
import { FleetIssue } from './FleetIssue.tsx';
import { FleetRepositories } from './FleetRepositories.tsx';
import { FleetResults } from './FleetResults.tsx';
import styles from './fleet.module.css';
import { takeIssue } from './fleet.ts';
import { SetUp } from './SetUp.tsx';

const TABS = [
  ['results', 'Results'],
  ['repositories', 'Repositories'],
  ['set-up', 'Set-up'],
] as const;

/** All repositories of a company: searched with an issue, and what became of each. */
export default function FleetDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const fleet = useApp((state) => state.welcome?.fleet);
  const next = useRef<PaneName | null>(null);
  const [view, setView] = useState('results');
  useEffect(() => {
    if (open) takeIssue();
  }, [open]);
  const isSetUp = Boolean(fleet);
  const was = useRef(isSetUp);
  useEffect(() => {
    // Whoever has just set it up goes on with the issue.
    if (isSetUp && !was.current) document.getElementById('fleet-issue')?.focus();
    was.current = isSetUp;
  }, [isSetUp]);
  return (
    <Dialog
      title="All repositories"
      size="large"
      open={open}
      onClose={onClose}
      onClosed={() => {
        if (next.current) focusPane(next.current);
        next.current = null;
      }}
    >
      {fleet === null && <NoFleet />}
      {fleet && (
        <div className={styles.fleet}>
          <div className={styles.columns}>
            <FleetIssue places={fleet} onSearch={() => setView('results')} />
            <Tabs.Root className={styles.views} value={view} onValueChange={setView}>
              <Tabs.List className={styles.tabs} aria-label="Of all repositories">
                {TABS.map(([id, title]) => (
                  <Tabs.Trigger key={id} className={styles.tab} value={id}>
                    {title}
                  </Tabs.Trigger>
                ))}
              </Tabs.List>
              <Tabs.Content className={styles.view} value="results" tabIndex={-1}>
                <FleetResults
                  onOpened={() => {
                    next.current = 'side';
                    onClose();
                  }}
                />
              </Tabs.Content>
              <Tabs.Content className={styles.view} value="repositories" tabIndex={-1}>
                <FleetRepositories objects={fleet.objects} />
              </Tabs.Content>
              <Tabs.Content className={styles.view} value="set-up" tabIndex={-1}>
                <div className={styles.change}>
                  <SetUp places={fleet} />
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
    <div className={styles.none}>
      <Building2 size={28} className={styles.noneIcon} />
      <h3>No fleet is set up on this machine</h3>
      <p>
        A fleet keeps the functions of all repositories of a company in Milvus, and its list in a
        folder or a bucket of S3. Until one is set up, nothing of this is loaded or reached.
      </p>
      <SetUp places={null} />
    </div>
  );
}
