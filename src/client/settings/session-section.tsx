import type { SessionInfo } from '../../shared/account-settings.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { Loaded } from '../components/loaded.tsx';
import { TimeAgo } from '../time/time-ago.tsx';
import { Item } from './item.tsx';
import styles from './settings.module.css';
import { endListedSession, endOtherSessions, listSessions } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';
import { useRemoval } from './use-removal.ts';

const headingId = 'sesiones';

/** The sessions of the account, with buttons to end them. */
export function SessionSection() {
  const remove = useRemoval(headingId);
  const sessions = useUserQuery(listSessions);
  const { ended, notEnded, othersEnded, notOthersEnded } = settingsTexts;
  const endOne = ({ id, browser }: SessionInfo) =>
    remove(() => request(endListedSession, id), ended(browser), notEnded);
  const endOthers = () => remove(() => request(endOtherSessions), othersEnded, notOthersEnded);

  return (
    <SettingsSection
      id={headingId}
      title={settingsTexts.sessions}
      intro={settingsTexts.sessionsIntro}
    >
      <Loaded query={sessions}>
        {({ data }) => (
          <ul className={lists.list}>
            {data.map((session) => (
              <Session key={session.id} {...session} onEnd={() => endOne(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      {sessions.data?.data.some(({ isCurrent }) => !isCurrent) && (
        <button type="button" className={buttons.quiet} onClick={endOthers}>
          {settingsTexts.endOthers}
        </button>
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
}: SessionInfo & { onEnd: () => void }) {
  return (
    <Item
      label={settingsTexts.end}
      fullLabel={settingsTexts.endOf(browser)}
      onClick={isCurrent ? undefined : onEnd}
    >
      <p className={styles.tags}>
        <bdi className={styles.label}>{browser}</bdi>
        {isCurrent && (
          <span className={`${styles.tag} ${styles.current}`}>{settingsTexts.thisBrowser}</span>
        )}
        {isRemembered && <span className={styles.tag}>{settingsTexts.remembered}</span>}
      </p>
      <p className="note">
        {settingsTexts.lastUse}
        <TimeAgo iso={lastUsedAt} />
        <br />
        {settingsTexts.firstUse}
        <TimeAgo iso={createdAt} />
      </p>
    </Item>
  );
}
