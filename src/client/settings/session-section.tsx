import type { SessionInfo } from '../../shared/account-settings.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { accountTexts } from '../ui/account-texts.ts';
import { ActionButton } from '../ui/forms/action-button.tsx';
import { Loaded } from '../ui/loading/loaded.tsx';
import lists from '../ui/styles/list.module.css';
import styles from '../ui/styles/settings.module.css';
import { Time } from '../ui/time/time.tsx';
import { Item } from './item.tsx';
import { endListedSession, endOtherSessions, listSessions } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { useRemoval } from './use-removal.ts';

const headingId = 'sesiones';

export function SessionSection() {
  const remove = useRemoval(headingId);
  const sessions = useUserQuery(listSessions);
  const endOne = ({ id, browser }: SessionInfo) =>
    remove(
      () => request(endListedSession, id),
      `Sesión cerrada: ${browser}`,
      'No se pudo cerrar la sesión.',
    );
  const endOthers = () =>
    remove(
      () => request(endOtherSessions),
      accountTexts.othersEnded,
      'No se pudieron cerrar las demás sesiones.',
    );

  return (
    <SettingsSection
      id={headingId}
      title="Sesiones"
      intro="Dónde tienes la sesión iniciada. Si no reconoces alguna, ciérrala y cambia la contraseña."
    >
      <Loaded query={sessions}>
        {({ data }) => (
          <ul className={`frame ${lists.list}`}>
            {data.map((session) => (
              <Session key={session.id} {...session} onEnd={() => endOne(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      {sessions.data?.data.some(({ isCurrent }) => !isCurrent) && (
        <ActionButton run={endOthers}>Cerrar las demás</ActionButton>
      )}
    </SettingsSection>
  );
}

function Session({
  browser,
  createdAt,
  lastUsedAt,
  isCurrent,
  isRemembered,
  onEnd,
}: SessionInfo & { onEnd: () => Promise<unknown> }) {
  return (
    <Item label="Cerrar" fullLabel={`Cerrar: ${browser}`} run={isCurrent ? undefined : onEnd}>
      <p className="row tight">
        <strong>
          <bdi>{browser}</bdi>
        </strong>
        {isCurrent && <span className={`badge ${styles.current}`}>Este navegador</span>}
        {isRemembered && <span className="badge">Mantiene la sesión</span>}
      </p>
      <p className="note">
        Último uso: <Time iso={lastUsedAt} />
        <br />
        Primer uso: <Time iso={createdAt} />
      </p>
    </Item>
  );
}
