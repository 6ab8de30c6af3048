import { useState } from 'react';
import { type DesktopHost, unwrapAnswer } from '../../../shared/desktop.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { UpdateAnswer, UpdateOffer } from '../../../shared/updates.ts';
import { useAnswer } from '../../platform/answer.ts';
import { copyText } from '../../platform/copy.ts';
import { desktop } from '../../platform/host.ts';
import { Button, Dialog, SourceText, Spinner } from '../../ui/controls.tsx';
import styles from './updates.module.css';

/** Says what a check for updates sends, asks for consent each time, and shows the answer. */
export default function UpdateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Check for updates" open={open} onClose={onClose}>
      <div className={styles.updates}>
        <Steps onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** Shows the question, then the outcome. It is mounted anew, without consent, whenever the dialog opens. */
function Steps({ onClose }: { onClose: () => void }) {
  const [requests, setRequests] = useState(0);
  const ask = () => setRequests(requests + 1);
  const { answer: offer, failure: offerFailure } = useAnswer('update.offer', {});
  const hasConsent = requests > 0 && offer !== undefined;
  const { answer, failure, isCurrent } = useAnswer(
    'update.check',
    hasConsent ? { host: offer.host } : null,
    { again: requests },
  );
  if (offerFailure) return <Failed failure={offerFailure} />;
  if (!offer) return <Spinner />;
  if (!hasConsent) return <Question offer={offer} onRefuse={onClose} onAgree={ask} />;
  if (!isCurrent)
    return (
      <p role="status" className={styles.asking}>
        <Spinner /> Asking <SourceText text={offer.host} />…
      </p>
    );
  if (failure) return <Failed failure={failure} onRetry={ask} />;
  return answer && <Outcome {...answer} />;
}

interface QuestionProps {
  offer: UpdateOffer;
  onRefuse: () => void;
  onAgree: () => void;
}

function Question({ offer: { version, host }, onRefuse, onAgree }: QuestionProps) {
  return (
    <>
      <p>
        This is Locus {version}. Ask{' '}
        <b>
          <SourceText text={host} />
        </b>{' '}
        for the newest version?
      </p>
      <p className="muted">
        It sees one request and your network address, and nothing about you, your repositories or
        this version. Locus never asks by itself.
      </p>
      <div className="button-row">
        <Button data-autofocus onClick={onRefuse}>
          Don’t ask
        </Button>
        <Button look="primary" onClick={onAgree}>
          Ask once
        </Button>
      </div>
    </>
  );
}

function Failed({
  failure: { message, remedy },
  onRetry,
}: {
  failure: Failure;
  onRetry?: () => void;
}) {
  return (
    <>
      <p role="alert">
        <SourceText text={message} />
      </p>
      <p className="muted">
        <SourceText text={remedy} />
      </p>
      {onRetry && (
        <div className="button-row">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </>
  );
}

function Outcome({ version, latest, isNewer, command, page }: UpdateAnswer) {
  if (!isNewer)
    return (
      <p role="status">
        {latest === version
          ? `Locus ${version} is the newest version.`
          : `Locus ${version} is newer than the newest published version, ${latest}.`}
      </p>
    );
  return (
    <>
      <p role="status">
        Locus {latest} is available. This is {version}.
      </p>
      {command !== null && (
        <>
          <p className="muted">To install it, end Locus and run this in a terminal:</p>
          <div className={styles.command}>
            <code>{command}</code>
            <Button onClick={() => copyText(command, command)}>Copy</Button>
          </div>
        </>
      )}
      {page !== null && (
        <p>
          Download it from{' '}
          <a href={page} target="_blank" rel="noreferrer">
            the page with the releases
          </a>
          .
        </p>
      )}
      {page !== null && desktop?.canInstallUpdates && (
        <Install version={latest} desktop={desktop} />
      )}
    </>
  );
}

/** Lets the desktop app replace itself. The app asks once more, outside of the page. */
function Install({ version, desktop }: { version: string; desktop: DesktopHost }) {
  const [phase, setPhase] = useState<'offered' | 'installing' | 'installed'>('offered');
  const [failure, setFailure] = useState<Failure | null>(null);
  const install = async () => {
    setPhase('installing');
    setFailure(null);
    try {
      const isInstalled = await unwrapAnswer(desktop.installUpdate(version));
      setPhase(isInstalled ? 'installed' : 'offered');
    } catch (error) {
      setFailure(error as Failure);
      setPhase('offered');
    }
  };
  if (phase === 'installed')
    return <p role="status">Installed. It runs when you close Locus and open it again.</p>;
  if (phase === 'installing')
    return (
      <p role="status" className={styles.asking}>
        <Spinner /> Installing…
      </p>
    );
  return (
    <>
      {failure && <Failed failure={failure} />}
      <div className="button-row">
        <Button onClick={install}>Download and install…</Button>
      </div>
    </>
  );
}
