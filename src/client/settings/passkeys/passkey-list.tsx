import { useQueryClient } from '@tanstack/react-query';
import type { PasskeyInfo, PasskeyList as PasskeyInfos } from '../../../shared/account-settings.ts';
import { request } from '../../api/request.ts';
import { callKey, useUserQuery } from '../../api/user-query.ts';
import { hasPasskeyAddress, tellAcceptedPasskeys } from '../../session/passkeys.ts';
import { useUser } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import lists from '../../ui/styles/list.module.css';
import { Time } from '../../ui/time/time.tsx';
import { Item } from '../item.tsx';
import { deletePasskey, listPasskeys } from '../settings-calls.ts';
import { useRemoval } from '../use-removal.ts';

/** The account's passkeys, fetched only if the page's address supports passkeys. */
export function usePasskeys() {
  const query = useUserQuery(listPasskeys, undefined, { enabled: hasPasskeyAddress() });
  const isUnavailable = query.error?.problem?.code === 'passkeys_unavailable';
  return { ...query, hasPasskeys: hasPasskeyAddress() && !isUnavailable };
}

/**
 * The account's passkeys, each with a button to remove it.
 * @param props.headingId id of the heading that gets the focus when a passkey is removed
 */
export function PasskeyList({ headingId }: { headingId: string }) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const remove = useRemoval(headingId);
  const passkeys = usePasskeys();
  const removeOne = async ({ id, name }: PasskeyInfo) => {
    await remove(
      () => request(deletePasskey, id),
      `Llave de acceso quitada: ${name}. ${accountTexts.othersEnded} Bórrala también del dispositivo donde la guardaste.`,
      'No se pudo quitar la llave de acceso.',
    );
    const left = queryClient.getQueryData<PasskeyInfos>(callKey(userId, listPasskeys));
    if (left) await tellAcceptedPasskeys(userId, left.data);
  };
  if (passkeys.data?.data.length === 0) return <p>Todavía no tienes ninguna.</p>;
  return (
    <Loaded query={passkeys}>
      {({ data }) => (
        <ul className={`frame ${lists.list}`}>
          {data.map((passkey) => (
            <Passkey key={passkey.id} {...passkey} onRemove={() => removeOne(passkey)} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function Passkey({
  name,
  createdAt,
  lastUsedAt,
  onRemove,
}: PasskeyInfo & { onRemove: () => Promise<unknown> }) {
  return (
    <Item label="Quitar" fullLabel={`Quitar: ${name}`} data-destroys run={onRemove}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <p className="note">
        <span>{lastUsedAt ? 'Último uso: ' : 'Aún no se ha usado'}</span>
        {lastUsedAt && <Time iso={lastUsedAt} />}
        <br />
        <span>Añadida el </span>
        <Time iso={createdAt} form="date" />
      </p>
    </Item>
  );
}
