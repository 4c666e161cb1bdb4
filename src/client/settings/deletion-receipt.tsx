import type { DeletionRequested } from '../../shared/account-settings.ts';
import { numberText } from '../../shared/number-texts.ts';
import { useUser } from '../state/store-provider.tsx';
import { fullTime } from '../time/time-words.ts';
import own from './deletion.module.css';
import styles from './settings.module.css';
import { settingsTexts } from './settings-texts.ts';

export const receiptHeadingId = 'recibo';

/** What the deletion does, for its owner to keep: printing the page prints only this. */
export function DeletionReceipt({ receipt, endsAt }: DeletionRequested) {
  const { name, email } = useUser();
  const isErased = receipt.content === 'erase';
  const rows = [
    [settingsTexts.receiptNumber, receipt.id],
    [
      settingsTexts.receiptAccount,
      <>
        <bdi>{name}</bdi> (<bdi>{email}</bdi>)
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
    <section className={own.receipt} aria-labelledby={receiptHeadingId} data-printed>
      <h4 id={receiptHeadingId}>{settingsTexts.receipt}</h4>
      <dl className={own.rows}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h5>{settingsTexts.receiptStays}</h5>
      <ul className={own.stays}>
        {receipt.stays.map(({ what, why, until }) => (
          <li key={what}>
            <p>{what}</p>
            <p className={styles.note}>{why}</p>
            <p className={styles.note}>{settingsTexts.receiptUntil(until)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
