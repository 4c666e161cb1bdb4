import type { DeletionRequested } from '../../shared/account-settings.ts';
import notices from '../components/notice.module.css';
import { fullTime } from '../time/time-words.ts';
import { deletionHeadingId } from './deletion-part.tsx';
import { settingsTexts } from './settings-texts.ts';

/** Says at the top of the settings that the account is going to be deleted. */
export function PendingDeletion({ endsAt }: DeletionRequested) {
  return (
    <p className={notices.alert}>
      {settingsTexts.pending(fullTime(endsAt))}{' '}
      <a href={`#${deletionHeadingId}`}>{settingsTexts.pendingNotice}</a>
    </p>
  );
}
