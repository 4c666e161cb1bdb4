import { type ChangeEvent, useEffect, useEffectEvent, useRef } from 'react';
import { limits } from '../../../shared/limits.ts';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useLossWarning } from '../../images/upload/use-loss-warning.ts';
import { useUpload } from '../../images/upload/use-upload.ts';
import { Note } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';

const busyStatuses = ['preparing', 'running', 'paused', 'finishing'];

const leftText =
  'El chat se ha quedado a medio subir. Elige otra vez el mismo archivo y seguirá donde estaba.';

/** Says how a chat is exported, and sends its file. */
export function UploadSection({ refetch }: { refetch: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useUpload('import');
  const { status } = upload;
  useLossWarning(busyStatuses.includes(status), leftText);
  const onSent = useEffectEvent(refetch);
  useEffect(() => {
    if (status === 'success') void onSent();
  }, [status]);

  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // Reset, so that choosing the same file again fires a change event.
    currentTarget.value = '';
    if (file) upload.start(file);
  };
  const cancel = () => {
    upload.cancel();
    // The button that had the focus is removed.
    input.current?.focus();
  };
  return (
    <section className="stack">
      <p>
        Un grupo de WhatsApp se convierte en un canal, con sus fotos y sus archivos, donde todo se
        encuentra con el buscador. Antes de traer nada verás qué hay, y podrás deshacerlo mientras
        nadie escriba en él.
      </p>
      <Note>
        Díselo antes al grupo: lo que escribieron lo leerán los miembros de esta comunidad. Quien no
        quiera que venga lo suyo puede quedarse fuera.
      </Note>
      <h2>Cómo se saca de WhatsApp</h2>
      <ul className="stack tight">
        <li>En Android: abre el grupo, pulsa ⋮, «Más» y «Exportar chat».</li>
        <li>En iPhone: abre el grupo, toca su nombre y, abajo del todo, «Exportar chat».</li>
        <li>
          Elige que incluya los archivos si quieres las fotos, y guarda el ZIP en este dispositivo.
        </li>
      </ul>
      <div className="row">
        <label className={`covered ${buttons.primary}`}>
          Elegir el archivo del chat
          <input
            ref={input}
            className="file-input"
            type="file"
            accept=".zip,.txt,application/zip,text/plain"
            onChange={take}
          />
        </label>
      </div>
      <p className="note">
        {`Un ZIP o un .txt. Nadie más lo ve, y se borra al acabar o a las ${limits.importHours} horas.`}
      </p>
      <UploadControl upload={{ ...upload, cancel }} />
    </section>
  );
}
