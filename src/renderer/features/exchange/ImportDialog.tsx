import { FileJson2, FileUp } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { ImportedList } from '../../../shared/rpc-protocol.ts';
import { useApp } from '../../app/state.ts';
import { Button, Dialog, Source, Spinner } from '../../ui/controls.tsx';
import styles from './exchange.module.css';
import { ImportedEntries } from './ImportedEntries.tsx';
import { forgetImport, openList, takeOver, useImport } from './import.ts';

/** A colleague's list against the code as it is here. */
export default function ImportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const repository = useApp((state) => state.repository?.id);
  const imported = useImport();
  const list = imported.repository === repository ? imported.list : null;
  return (
    <Dialog title="Open a list" size="large" open={open} onClose={onClose}>
      {list ? <List list={list} onClose={onClose} /> : <Chooser />}
    </Dialog>
  );
}

function Chooser() {
  const { failure, reading, name } = useImport();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) openList(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way, the button below another
    <div
      className={styles.chooser}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileJson2 size={32} aria-hidden="true" />
      <p>
        Drop a list here that was exported as <b>JSON</b>, or choose the file. Locus finds each of
        its chunks in this repository, also where code has moved or changed since.
      </p>
      <label className={styles.file}>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) openList(file);
            target.value = '';
          }}
        />
        <span>
          <FileUp size={15} aria-hidden="true" />
          Choose a file
        </span>
      </label>
      <div role="status">
        {reading && (
          <>
            <Spinner /> Reading <Source text={name} /> …
          </>
        )}
      </div>
      <p role="alert" className={styles.failure}>
        {failure && `${failure.message}. ${failure.remedy}`}
      </p>
    </div>
  );
}

function List({ list, onClose }: { list: ImportedList; onClose: () => void }) {
  const { issue, repository, entries } = list;
  const marks = entries.filter(({ mark, note }) => mark || note).length;
  return (
    <div className={styles.imported}>
      <div className={styles.importedHead}>
        <div>
          <h3>
            <Source text={issue.title} />
          </h3>
          <p className={styles.hint}>
            {entries.length} chunks of <Source text={repository.name} />
            {repository.commit && (
              <>
                {' '}
                at <code>{repository.commit.slice(0, 10)}</code>
              </>
            )}
            {marks > 0 && `, ${marks} with a mark or a note`}
          </p>
        </div>
        <Button onClick={forgetImport}>Another list</Button>
        <Button
          look="primary"
          onClick={() => {
            takeOver(list);
            onClose();
          }}
        >
          {marks > 0 ? 'Work on its issue and marks' : 'Work on its issue'}
        </Button>
      </div>
      <ImportedEntries list={list} onChoose={onClose} />
    </div>
  );
}
