import { pageRoutes } from '../../../shared/routes.ts';
import buttons from '../../components/button.module.css';
import { copyText } from '../../components/copy-text.ts';
import { useUser } from '../../state/store-provider.tsx';
import { saveFile } from '../save-file.ts';
import styles from './recovery.module.css';
import { recoveryTexts } from './recovery-texts.ts';

/** New recovery codes, which are shown only once, with buttons to copy, save and print them. */
export function CodeList({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const { email } = useUser();
  const head = recoveryTexts.fileHead(location.host, email);
  const hint = recoveryTexts.fileHint(location.origin + pageRoutes.recover);
  const text = [head, '', ...codes, '', hint, ''].join('\n');

  const download = () => saveFile(new Blob([text], { type: 'text/plain' }), recoveryTexts.fileName);

  return (
    <div className={`box ${styles.codes}`} data-printed="">
      <h3 ref={focus} tabIndex={-1}>
        {head}
      </h3>
      <p>{recoveryTexts.shownOnce}</p>
      <ol>
        {codes.map((code) => (
          <li key={code} className={styles.code} translate="no">
            {code}
          </li>
        ))}
      </ol>
      <p>{hint}</p>
      <div className="buttons">
        {'clipboard' in navigator && (
          <button type="button" className={buttons.quiet} onClick={() => copyText(text)}>
            {recoveryTexts.copy}
          </button>
        )}
        <button type="button" className={buttons.quiet} onClick={download}>
          {recoveryTexts.download}
        </button>
        <button type="button" className={buttons.quiet} onClick={() => print()}>
          {recoveryTexts.print}
        </button>
        <button type="button" className={buttons.primary} onClick={onSaved}>
          {recoveryTexts.saved}
        </button>
      </div>
    </div>
  );
}

/** Moves the focus to the heading when the codes come. */
function focus(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
}
