import type { ReactNode } from 'react';
import type { DeletionRequested } from '../../../shared/account-settings.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { Link } from '../../router/navigation.tsx';
import { getProfile } from '../../session/account-calls.ts';
import notices from '../../ui/notice.module.css';
import { deletionTexts } from './deletion-texts.ts';

interface PendingDeletionProps {
  deletion: DeletionRequested;
  /** The link to the page where the deletion can be cancelled. */
  children: ReactNode;
}

export function PendingDeletion({ deletion, children }: PendingDeletionProps) {
  return (
    <p className={notices.alert}>
      <span>{deletionTexts.endsAt(deletion.endsAt)}</span> {children}
    </p>
  );
}

/** Says on the home page that the account is going to be deleted. */
export function DeletionOnHome() {
  const { data } = useUserQuery(getProfile, undefined, { isBackground: true });
  if (!data?.deletion) return null;
  return (
    <PendingDeletion deletion={data.deletion}>
      <Link href={pageRoutes.settings}>{deletionTexts.showReceipt}</Link>
    </PendingDeletion>
  );
}
