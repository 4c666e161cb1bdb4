import { useEffect, useRef, useState } from 'react';
import { Failure, orFailure } from '../../api/failures.ts';
import { saveFile } from '../../dom/save-file.ts';
import { sizeText } from '../../images/byte-texts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { Spinner } from '../../ui/loading/spinner.tsx';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import styles from '../../ui/styles/settings.module.css';
import { exportName, fetchExport } from './fetch-export.ts';

type Progress = 'idle' | 'running' | 'done' | 'canceled';
const statusTexts = {
  idle: '',
  running: 'Preparando la descarga…',
  done: 'Descarga completada',
  canceled: 'Descarga cancelada',
} satisfies Record<Progress, string>;

/** A button that downloads everything the account wrote and uploaded, in one file. */
export function ExportPart() {
  const [progress, setProgress] = useState<Progress>('idle');
  const [bytes, setBytes] = useState(0);
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    setFailure('');
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    setProgress('running');
    const file = await orFailure(fetchExport(controller.signal, setBytes));
    running.current = null;
    if (controller.signal.aborted) return setProgress('canceled');
    const hasFailed = file instanceof Failure;
    setProgress(hasFailed ? 'idle' : 'done');
    if (hasFailed) return setFailure(`No se pudo completar la descarga. ${file.text}`);
    saveFile(file, exportName(new Date()));
  };

  // One button starts and cancels the download, so that it keeps the focus.
  const isRunning = progress === 'running';
  return (
    <>
      <div className={lists.what}>
        <h3>Copia de tus datos</h3>
        <p className="note">Un archivo con todo lo que has escrito y tus fotos.</p>
      </div>
      <button
        type="button"
        className={buttons.quiet}
        onClick={() => (isRunning ? running.current?.abort() : start())}
      >
        {isRunning ? accountTexts.cancel : 'Descargar mis datos'}
      </button>
      <p className={`row ${styles.progress}`}>
        {isRunning && <Spinner />}
        <span role="status">{statusTexts[progress]}</span>
        {isRunning && bytes > 0 && <span>{`${sizeText(bytes)} descargados`}</span>}
      </p>
      {failure && (
        <div className={styles.line}>
          <Alert>{failure}</Alert>
        </div>
      )}
    </>
  );
}
