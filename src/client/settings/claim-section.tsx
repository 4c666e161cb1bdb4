import { useQuery } from '@tanstack/react-query';
import type { Claim } from '../../shared/imported-people.ts';
import { limits } from '../../shared/limits.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { Link } from '../router/navigation.tsx';
import { Words } from '../session/sign-up/invitation-note.tsx';
import {
  claimsAnchor,
  discardInvitation,
  readInvitation,
  storedInvitation,
} from '../session/sign-up/use-invitation.ts';
import { ActionButton } from '../ui/forms/action-button.tsx';
import { listTexts } from '../ui/list-texts.ts';
import { LoadFailure } from '../ui/notice.tsx';
import buttons from '../ui/styles/button.module.css';
import lists from '../ui/styles/list.module.css';
import { shortDate } from '../ui/time/short-date.ts';
import { Item } from './item.tsx';
import { claimWords, listClaims, returnWords } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { useRemoval } from './use-removal.ts';

export const useClaims = () => useUserQuery(listClaims);

/** The words that the link which opened this tab gives. */
export function useOfferedWords() {
  const link = storedInvitation();
  return useQuery({
    queryKey: ['invitation', link],
    queryFn: () => request(readInvitation, link),
    enabled: link !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The section for words of a chat that moved in: those that a link gives, and those claimed. Renders nothing without any. */
export function ClaimSection() {
  const claims = useClaims();
  const offered = useOfferedWords();
  const change = useRemoval(claimsAnchor);
  const words = storedInvitation() ? offered.data?.words : undefined;
  const claimed = claims.data?.data ?? [];

  if (!words && claimed.length === 0 && !claims.error) return null;
  const claim = () =>
    change(
      async () => {
        await request(claimWords, storedInvitation());
        discardInvitation();
      },
      'Ya son tuyos: aparecerán con tu nombre en menos de un minuto.',
      'No se pudieron recuperar.',
    );
  const giveBack = ({ id }: Claim) =>
    change(
      () => request(returnWords, id),
      'Devueltos: en menos de un minuto dejarán de tener tu nombre.',
      'No se pudieron devolver.',
    );
  return (
    <SettingsSection id={claimsAnchor} title="Mensajes del grupo de antes">
      {claims.error && <LoadFailure message={claims.error.text} onRetry={() => claims.refetch()} />}
      {words && (
        <>
          <p>
            <span>
              {words.comments === 1 ? '¿Lo escribiste tú? Es ' : '¿Los escribiste tú? Son '}
            </span>
            <Words {...words} />
            <span>
              {words.comments === 1
                ? `. Tendrá tu nombre, y durante ${limits.trashDays} días puedes devolverlo aquí.`
                : `. Tendrán tu nombre, y durante ${limits.trashDays} días puedes devolverlos aquí.`}
            </span>
          </p>
          <p>
            <ActionButton className={buttons.primary} run={claim}>
              Estos mensajes los escribí yo
            </ActionButton>
          </p>
        </>
      )}
      {claimed.length > 0 && (
        <ul className={`frame ${lists.list}`}>
          {claimed.map((one) => (
            <Item
              key={one.id}
              label="Devolver"
              fullLabel={`Devolver los mensajes de ${one.name}`}
              run={() => giveBack(one)}
            >
              <strong>
                <bdi>{one.name}</bdi>
              </strong>
              <br />
              <span className="note">
                {`${listTexts.commentCount(one.comments)}. ${one.comments === 1 ? 'Si no es tuyo, devuélvelo' : 'Si no son tuyos, devuélvelos'} hasta el ${shortDate(one.until)}.`}
              </span>
              <br />
              <Link className="target" href={pageRoutes.channel(one.channelId)}>
                <bdi>{one.channel}</bdi>
              </Link>
            </Item>
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}
