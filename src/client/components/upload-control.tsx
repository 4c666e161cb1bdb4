import { accountTexts } from '../account-texts.ts';
import { texts } from '../texts.ts';
import buttons from './button.module.css';
import { Alert } from './notice.tsx';
import { Spinner } from './spinner.tsx';
import styles from './upload-control.module.css';
import type { ImageUpload } from './use-image-upload.ts';

/** How an upload goes, and what can be done about it. */
export function UploadControl({ upload }: { upload: ImageUpload }) {
  const { status, message, canResume, percent } = upload;
  if (status === 'error') {
    return (
      <div className={styles.control}>
        <Alert>{message}</Alert>
        {canResume && (
          <button type="button" className={buttons.quiet} onClick={upload.resume}>
            {texts.retry}
          </button>
        )}
      </div>
    );
  }
  if (status !== 'running' && status !== 'paused' && status !== 'finishing') return null;

  return (
    <div className={styles.control}>
      <p className={styles.status} role="status">
        {status !== 'paused' && <Spinner />}
        <span>{statusTexts[status]}</span>
      </p>
      <p className={styles.bar}>
        <progress
          className={styles.progress}
          aria-label={accountTexts.upload}
          max={100}
          value={percent}
        />
        <span className={styles.percent}>{`${percent} %`}</span>
      </p>
      {status !== 'finishing' && (
        <p className={styles.buttons}>
          {status === 'running' ? (
            <button type="button" className={buttons.quiet} onClick={upload.pause}>
              {accountTexts.pause}
            </button>
          ) : (
            <button type="button" className={buttons.quiet} onClick={upload.resume}>
              {accountTexts.resume}
            </button>
          )}
          <button type="button" className={buttons.quiet} onClick={upload.cancel}>
            {accountTexts.cancel}
          </button>
        </p>
      )}
    </div>
  );
}

const statusTexts = {
  running: accountTexts.uploadRunning,
  paused: accountTexts.uploadPaused,
  finishing: accountTexts.uploadFinishing,
} as const;
