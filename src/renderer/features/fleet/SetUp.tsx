import { Building2, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls.tsx';
import styles from './fleet.module.css';

const COMMANDS = `export LOCUS_FLEET_OBJECTS=~/fleet
export LOCUS_FLEET_ENGINE=http://127.0.0.1:19530
locus fleet add https://github.com/psf/requests https://github.com/pallets/flask
locus fleet index
locus serve`;

/** What there is to do where no fleet is set up. */
export function SetUp() {
  const [copied, setCopied] = useState(false);
  return (
    <div className={styles.setUp}>
      <Building2 size={28} className={styles.setUpIcon} aria-hidden="true" />
      <h3>No fleet is set up on this machine</h3>
      <p>
        A fleet keeps the functions of all repositories of a company in Milvus, and its list in a
        folder or a bucket of S3. Locus knows it by two variables of its environment, as{' '}
        <code>locus fleet</code> does: set them where Locus is started, and this window searches
        there.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{COMMANDS}</code>
      </pre>
      <Button
        data-autofocus
        onClick={async () => {
          await navigator.clipboard.writeText(COMMANDS);
          setCopied(true);
        }}
      >
        <Copy size={13} aria-hidden="true" />
        <span aria-live="polite">{copied ? 'Copied' : 'Copy the commands'}</span>
      </Button>
      <p className={styles.hint}>
        docs/fleet.md has how Milvus is installed, buckets, tokens and what is sent where. Until
        then nothing of this is loaded or reached.
      </p>
    </div>
  );
}
