import { pageRoutes } from '../../../shared/routes.ts';
import { saveFile } from '../../dom/save-file.ts';
import { shownAddress, shownHost } from '../../dom/shown-address.ts';
import styles from '../../session/recovery/recovery.module.css';
import { useUser } from '../../state/store-provider.tsx';
import { copyText } from '../../ui/status/copy-text.ts';
import buttons from '../../ui/styles/button.module.css';

/** New recovery codes, shown only once, with buttons to copy, save and print them. */
export function CodeList({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const { email } = useUser();
  const head = `Códigos de recuperación de ${email} en ${shownHost()}`;
  const hint = `Con cualquiera de ellos puedes poner una contraseña nueva en ${shownAddress(pageRoutes.recover)}. Después ya no sirve ninguno.`;
  const text = [head, '', ...codes, '', hint, ''].join('\n');

  const download = () =>
    saveFile(new Blob([text], { type: 'text/plain' }), 'codigos-de-recuperacion.txt');

  return (
    <div className={`box ${styles.codes}`} data-printed="">
      <h3 ref={focus} tabIndex={-1}>
        {head}
      </h3>
      <p>
        Guárdalos ahora: no se volverán a mostrar. Al escribirlos, las mayúsculas, los espacios y
        los guiones dan igual.
      </p>
      <ol>
        {codes.map((code) => (
          <li key={code} className={styles.code} translate="no">
            {code}
          </li>
        ))}
      </ol>
      <p>{hint}</p>
      <div className="row unprinted">
        {'clipboard' in navigator && (
          <button type="button" className={buttons.quiet} onClick={() => copyText(text)}>
            Copiar
          </button>
        )}
        <button type="button" className={buttons.quiet} onClick={download}>
          Descargar
        </button>
        <button type="button" className={buttons.quiet} onClick={() => print()}>
          Imprimir
        </button>
        <button type="button" className={buttons.primary} onClick={onSaved}>
          Ya los he guardado
        </button>
      </div>
    </div>
  );
}

/** Moves the focus to the heading when the codes appear. */
function focus(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
}
