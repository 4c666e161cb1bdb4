import type { DeletionRequested } from '../../../shared/account-settings.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { fullTime } from '../../dom/time-words.ts';
import { useUser } from '../../state/store-provider.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import deletionStyles from './deletion.module.css';
import { deletionTexts } from './deletion-texts.ts';

const headingId = 'justificante';

/** A receipt of the deletion for the account's owner, and the only part of the page that is printed. */
export function DeletionReceipt({ receipt, endsAt }: DeletionRequested) {
  const { name, email } = useUser();
  const rows = [
    [
      'Cuenta',
      <>
        <bdi>{name}</bdi>{' '}
        <bdi>
          (<EmailText email={email} />)
        </bdi>
      </>,
    ],
    ['Solicitada', fullTime(receipt.requestedAt)],
    ['Fecha de borrado', fullTime(endsAt)],
    ['Tu elección', deletionTexts.content[receipt.content]],
    ['Comentarios', numberText(receipt.comments)],
    ['Canales', numberText(receipt.channels)],
    ['Imágenes', numberText(receipt.images)],
  ] as const;
  return (
    <section className={`box ${deletionStyles.receipt}`} aria-labelledby={headingId} data-printed>
      <h4 id={headingId}>Justificante de la eliminación</h4>
      <dl className={`stack tight ${deletionStyles.rows}`}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h5>Lo que se conserva</h5>
      <ul className="stack">
        {receipt.stays.map(({ what, why, until }) => (
          <li key={what}>
            <p>{what}</p>
            <p className="note">{why}</p>
            <p className="note">{`Plazo: ${until}`}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
