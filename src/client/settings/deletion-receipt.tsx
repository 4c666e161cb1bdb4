import type { DeletionRequested } from '../../shared/account-settings.ts';
import { numberText } from '../../shared/number-texts.ts';
import { EmailText } from '../components/email-text.tsx';
import { useUser } from '../state/store-provider.tsx';
import { fullTime } from '../time/time-words.ts';
import deletionStyles from './deletion.module.css';
import { settingsTexts } from './settings-texts.ts';

const headingId = 'justificante';

/** A receipt of the deletion for its owner. When the page is printed, only this part is. */
export function DeletionReceipt({ receipt, endsAt }: DeletionRequested) {
  const { name, email } = useUser();
  const isErased = receipt.content === 'erase';
  const rows = [
    [settingsTexts.receiptNumber, receipt.id],
    [
      settingsTexts.receiptAccount,
      <>
        <bdi>{name}</bdi>{' '}
        <bdi>
          (<EmailText email={email} />)
        </bdi>
      </>,
    ],
    [settingsTexts.receiptRequested, fullTime(receipt.requestedAt)],
    [settingsTexts.receiptEnds, fullTime(endsAt)],
    [settingsTexts.receiptContent, isErased ? settingsTexts.erase : settingsTexts.anonymous],
    [settingsTexts.receiptComments, numberText(receipt.comments)],
    [settingsTexts.receiptChannels, numberText(receipt.channels)],
    [settingsTexts.receiptImages, numberText(receipt.images)],
  ] as const;
  return (
    <section className={`box ${deletionStyles.receipt}`} aria-labelledby={headingId} data-printed>
      <h4 id={headingId}>{settingsTexts.receipt}</h4>
      <dl className={deletionStyles.rows}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h5>{settingsTexts.receiptStays}</h5>
      <ul className={deletionStyles.stays}>
        {receipt.stays.map(({ what, why, until }) => (
          <li key={what}>
            <p>{what}</p>
            <p className="note">{why}</p>
            <p className="note">{settingsTexts.receiptUntil(until)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
