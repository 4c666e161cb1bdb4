import { accountTexts } from '../../ui/account-texts.ts';
import { Spinner } from '../../ui/loading/spinner.tsx';
import { Alert, RetryButton } from '../../ui/notice.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import buttons from '../../ui/styles/button.module.css';
import { percentOf, progressText } from '../byte-texts.ts';
import styles from './upload-control.module.css';
import type { Upload } from './use-upload.ts';

/** Status and progress of an upload, with buttons to pause, resume, cancel and retry it. */
export function UploadControl({ upload }: { upload: Upload }) {
  const { status, file, bytesSent, message, canResume } = upload;
  if (status === 'error') {
    return (
      <div className={`stack ${styles.control}`}>
        <Alert>{message}</Alert>
        {canResume && <RetryButton onRetry={upload.resume} />}
      </div>
    );
  }
  if (status === 'idle' || status === 'success' || status === 'canceled') return null;

  return (
    <div className={`stack ${styles.control}`}>
      <p className={`row ${styles.status}`} role="status">
        {status !== 'paused' && <Spinner />}
        <span>{upload.pauseReason ? waitTexts[upload.pauseReason] : statusTexts[status]}</span>
      </p>
      {file && (
        <ProgressLine
          label={`Subida de ${file.name}`}
          percent={percentOf(bytesSent, file.size)}
          text={progressText(bytesSent, file.size)}
        />
      )}
      {status !== 'finishing' && (
        <p className="row">
          {status === 'paused' ? (
            <QuietButton label="Reanudar" onClick={upload.resume} />
          ) : (
            <QuietButton label="Pausar" onClick={upload.pause} />
          )}
          <QuietButton label={accountTexts.cancel} onClick={upload.cancel} />
        </p>
      )}
    </div>
  );
}

function QuietButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={buttons.quiet} onClick={onClick}>
      {label}
    </button>
  );
}

const statusTexts = {
  preparing: 'Preparando el archivo',
  running: 'Subiendo el archivo',
  paused: 'Subida en pausa',
  finishing: 'Guardando el archivo',
} as const;

const waitTexts = {
  network: 'Sin conexión: la subida seguirá sola cuando vuelva.',
  server: 'El servidor está ocupado: la subida seguirá sola en unos segundos.',
} as const;
