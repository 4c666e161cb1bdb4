import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { Alert, RetryButton } from '../components/notice.tsx';
import { Spinner } from '../components/spinner.tsx';
import { percentOf, progressText } from './byte-texts.ts';
import styles from './upload-control.module.css';
import type { ImageUpload } from './use-image-upload.ts';

/** Status and progress of an upload, with buttons to pause, resume, cancel and retry it. */
export function UploadControl({ upload }: { upload: ImageUpload }) {
  const { status, file, bytesSent, message, canResume } = upload;
  if (status === 'error') {
    return (
      <div className={styles.control}>
        <Alert>{message}</Alert>
        {canResume && <RetryButton onRetry={upload.resume} />}
      </div>
    );
  }
  if (status === 'idle' || status === 'success' || status === 'canceled') return null;

  return (
    <div className={styles.control}>
      <p className={styles.status} role="status">
        {status !== 'paused' && <Spinner />}
        <span>{upload.wait ? waitTexts[upload.wait] : statusTexts[status]}</span>
      </p>
      {file && (
        <p className={styles.bar}>
          <progress
            className={styles.progress}
            aria-label={accountTexts.upload}
            max={100}
            value={percentOf(bytesSent, file.size)}
          />
          <span className={styles.amount}>{progressText(bytesSent, file.size)}</span>
        </p>
      )}
      {status !== 'finishing' && (
        <p className={styles.buttons}>
          {status === 'paused' ? (
            <QuietButton label={accountTexts.resume} onClick={upload.resume} />
          ) : (
            <QuietButton label={accountTexts.pause} onClick={upload.pause} />
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
  preparing: accountTexts.uploadPreparing,
  running: accountTexts.uploadRunning,
  paused: accountTexts.uploadPaused,
  finishing: accountTexts.uploadFinishing,
} as const;

const waitTexts = {
  network: accountTexts.uploadOffline,
  server: accountTexts.uploadQueued,
} as const;
