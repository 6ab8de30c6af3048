import { formatRoot, readWindowLocation } from '../../platform/navigation.ts';
import { SourceText } from '../../ui/controls.tsx';
import styles from './welcome.module.css';

/** Explains how to get in, to a browser without the token of the running server. The window connects once another tab has it. */
export function TokenNeeded() {
  const place = readWindowLocation();
  return (
    <div className={styles.welcome}>
      <section className={styles.column} aria-labelledby="token-needed">
        <h1 id="token-needed">Open the address that Locus printed</h1>
        <p className={styles.lead}>
          Locus has a new token at every start, and this browser does not have it yet. Without the
          token, nobody can read your code here.
        </p>
        <ol className={styles.steps}>
          <li>Go to the terminal where Locus runs.</li>
          <li>Open the address that it printed, token included, in this browser.</li>
        </ol>
        <p className={styles.lead}>
          If you cannot find the terminal, stop Locus and run <code>locus serve</code> again.
          Nothing is lost.
        </p>
        <p className={styles.lead} role="status">
          {place ? (
            <>
              This tab then opens <SourceText text={formatRoot(place.root)} /> by itself.
            </>
          ) : (
            'This tab then continues by itself.'
          )}
        </p>
      </section>
    </div>
  );
}
