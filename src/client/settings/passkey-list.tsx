import { useQueryClient } from '@tanstack/react-query';
import type { PasskeyInfo, PasskeyList as Passkeys } from '../../shared/account-settings.ts';
import { hasPasskeyAddress } from '../account/passkeys.ts';
import { failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey, useUserQuery } from '../api/user-query.ts';
import { useAnchors } from '../components/anchors.tsx';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useUser } from '../state/store-provider.tsx';
import { shortDate } from '../time/short-date.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { recoveryTexts } from './recovery/recovery-texts.ts';
import styles from './settings.module.css';
import { deletePasskey, listPasskeys, listSessions } from './settings-calls.ts';

/** The passkeys of the account, fetched only where the address of the page supports passkeys. */
export function usePasskeys() {
  const query = useUserQuery(listPasskeys, undefined, { enabled: hasPasskeyAddress() });
  const isUnavailable = query.error?.failure.problem?.code === 'passkeys_unavailable';
  return { ...query, hasPasskeys: hasPasskeyAddress() && !isUnavailable };
}

/**
 * The passkeys of the account, each with a button to remove it.
 * @param props.headingId id of the heading that gets the focus when a passkey is removed
 */
export function PasskeyList({ headingId }: { headingId: string }) {
  const queryClient = useQueryClient();
  const anchors = useAnchors();
  const { id: userId } = useUser();
  const { data: passkeys, refetch } = usePasskeys();
  if (!passkeys) {
    return <LoadFailure message={recoveryTexts.passkeysFailed} onRetry={() => refetch()} />;
  }
  const { data } = passkeys;

  const remove = async ({ id, name }: PasskeyInfo) => {
    const result = await request(deletePasskey, id);
    // 404: the passkey has been removed elsewhere.
    if (!result.ok && result.problem?.status !== 404) {
      return showStatus({ text: `${recoveryTexts.passkeyNotRemoved} ${failureText(result)}` });
    }
    queryClient.setQueryData<Passkeys>(
      callKey(userId, listPasskeys),
      (shown) => shown && { data: shown.data.filter((one) => one.id !== id) },
    );
    // The button that had the focus is removed.
    anchors.focus(headingId);
    showStatus({ text: recoveryTexts.passkeyRemoved(name) });
    // The other sessions ended with it.
    await queryClient.invalidateQueries({ queryKey: callKey(userId, listSessions) });
  };

  if (data.length === 0) return <p>{recoveryTexts.noPasskeys}</p>;
  return (
    <ul className={lists.list}>
      {data.map((passkey) => (
        <Passkey key={passkey.id} {...passkey} onRemove={() => remove(passkey)} />
      ))}
    </ul>
  );
}

function Passkey({
  name,
  createdAt,
  lastUsedAt,
  onRemove,
}: PasskeyInfo & { onRemove: () => void }) {
  return (
    <li className={lists.item}>
      <div className={lists.what}>
        <p>
          <bdi className={styles.label}>{name}</bdi>
        </p>
        <p className="note">
          {lastUsedAt ? recoveryTexts.passkeyUsed : recoveryTexts.passkeyUnused}
          {lastUsedAt && <TimeAgo iso={lastUsedAt} />}
          <br />
          {recoveryTexts.passkeyAddedOn}
          <time dateTime={createdAt}>{shortDate(createdAt)}</time>
        </p>
      </div>
      <button
        type="button"
        className={buttons.quiet}
        aria-label={recoveryTexts.removePasskeyOf(name)}
        onClick={onRemove}
      >
        {recoveryTexts.removePasskey}
      </button>
    </li>
  );
}
