import { useEffect, useId, useRef } from 'react';
import { sizeText } from '../../images/byte-texts.ts';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useImageInput } from '../../images/use-image-input.ts';
import { useObjectUrl } from '../../images/use-object-url.ts';
import { Check, ImagePlus } from '../../ui/account-icons.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import fields from '../../ui/forms/field.module.css';
import { coverSources } from '../../ui/image-sources.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { dot } from '../../ui/texts.ts';
import styles from './cover-field.module.css';
import { fetchTiles } from './fetch-tiles.ts';
import type { CoverChoice } from './use-cover.ts';

const coverUploaded = 'Portada subida';

const coverDrop = 'Suelta la imagen para subirla';

interface CoverFieldProps {
  cover: CoverChoice;
  isSending: boolean;
  error: string | undefined;
}

/** A box with the cover's preview and upload. The file input covers the whole box. */
export function CoverField({ cover, isSending, error }: CoverFieldProps) {
  const id = useId();
  const { shown, upload, take, url } = cover;
  const isRefused = upload.status === 'error' && !upload.canResume;
  const fileUrl = useObjectUrl(shown?.file);
  // The stored image is shown as it will be published: without movement.
  const previewUrl = url ? coverSources(url, 'page').src : fileUrl;
  const drawing = useRef(new AbortController());
  useEffect(() => () => drawing.current.abort(), []);
  useEffect(() => {
    if (isSending) drawing.current.abort();
  }, [isSending]);
  const chooser = useImageInput(upload, (file) => {
    // A file may be dropped or pasted while the form is being sent.
    if (isSending) return;
    drawing.current.abort();
    take(file);
  });
  const { isDragged } = chooser;
  const drawTiles = async () => {
    drawing.current = new AbortController();
    const { signal } = drawing.current;
    const file = await fetchTiles(signal).catch(() => null);
    // Another image was chosen in the meantime, or the form was left.
    if (signal.aborted) return;
    if (file) take(file);
    else
      showStatus({
        text: 'No se pudo dibujar el azulejo. Comprueba la conexión y vuelve a intentarlo.',
      });
  };

  return (
    <div className="stack tight" inert={isSending}>
      <label className={fields.label} htmlFor={id}>
        Imagen de portada
      </label>
      <div className={`row ${styles.box} ${isDragged ? styles.dragged : ''}`}>
        <input
          {...chooser.input}
          id={id}
          className="file-input"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${error ? `${id}-error ` : ''}${id}-hint`}
        />
        {shown ? (
          <>
            {previewUrl && (shown.isUploaded || !isRefused) && (
              <img className={styles.preview} src={previewUrl} alt="" />
            )}
            <div className={`stack ${styles.facts}`}>
              {shown.isUploaded && <Uploaded />}
              <p className="note">{shown.file.name + dot + sizeText(shown.bytes)}</p>
              {upload.status !== 'error' && (
                <div className={styles.control}>
                  <UploadControl upload={chooser.upload} />
                </div>
              )}
              <p className={styles.change}>{isDragged ? coverDrop : 'Cambiar imagen'}</p>
            </div>
          </>
        ) : (
          <p className={`stack tight ${styles.choose}`}>
            <ImagePlus size={28} />
            {isDragged ? (
              <span>{coverDrop}</span>
            ) : (
              <span>
                Elige una imagen
                <span className={styles.mouse}>, arrástrala hasta aquí o pégala</span>
              </span>
            )}
          </p>
        )}
      </div>
      {upload.status === 'error' && <UploadControl upload={chooser.upload} />}
      {error && (
        <p id={`${id}-error`} className={fields.error}>
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="note">
        Resolución recomendada: 1000x400px (Máximo 1MB)
      </p>
      <p className="row">
        <ActionButton aria-describedby={`${id}-tiles`} run={drawTiles}>
          Usar un azulejo
        </ActionButton>
        <span id={`${id}-tiles`} className="note">
          Si no tienes una imagen a mano. Cada vez sale uno distinto.
        </span>
      </p>
    </div>
  );
}

function Uploaded() {
  return (
    <p className={`row ${styles.uploaded}`} role="status">
      <Check size={20} label={coverUploaded} />
      <span aria-hidden="true">{coverUploaded}</span>
    </p>
  );
}
