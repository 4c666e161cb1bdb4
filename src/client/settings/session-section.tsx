import { useQueryClient } from '@tanstack/react-query';
import type { SessionInfo, SessionList } from '../../shared/account-settings.ts';
import { failureText, type Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey, useUserQuery } from '../api/user-query.ts';
import { useAnchors } from '../components/anchors.tsx';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useUser } from '../state/store-provider.tsx';
import { TimeAgo } from '../time/time-ago.tsx';
import styles from './settings.module.css';
import { endOtherSessions, endSession, listSessions } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';

const headingId = 'sesiones';

/** The sessions of the account, with buttons to end them. */
export function SessionSection() {
  const queryClient = useQueryClient();
  const anchors = useAnchors();
  const { id: userId } = useUser();
  const { data: sessions, refetch } = useUserQuery(listSessions);

  /** Ends sessions, and shows which remain. */
  const { run: end } = useExclusive(
    async (
      call: () => Promise<Result<undefined>>,
      remains: (session: SessionInfo) => boolean,
      said: string,
      failed: string,
    ) => {
      const result = await call();
      // 404: the session has ended meanwhile.
      if (!result.ok && result.problem?.status !== 404) {
        return showStatus({ text: `${failed} ${failureText(result)}` });
      }
      queryClient.setQueryData<SessionList>(
        callKey(userId, listSessions),
        (shown) => shown && { data: shown.data.filter(remains) },
      );
      // The button that had the focus is removed.
      anchors.focus(headingId);
      showStatus({ text: said });
    },
  );

  const endOne = ({ id, browser }: SessionInfo) =>
    end(
      () => request(endSession, id),
      (session) => session.id !== id,
      settingsTexts.ended(browser),
      settingsTexts.notEnded,
    );
  const endOthers = () =>
    end(
      () => request(endOtherSessions),
      ({ isCurrent }) => isCurrent,
      settingsTexts.othersEnded,
      settingsTexts.notOthersEnded,
    );

  return (
    <SettingsSection
      id={headingId}
      title={settingsTexts.sessions}
      intro={settingsTexts.sessionsIntro}
    >
      {!sessions && (
        <LoadFailure message={settingsTexts.sessionsFailed} onRetry={() => refetch()} />
      )}
      {sessions && (
        <ul className={lists.list}>
          {sessions.data.map((session) => (
            <Session key={session.id} {...session} onEnd={() => endOne(session)} />
          ))}
        </ul>
      )}
      {sessions?.data.some(({ isCurrent }) => !isCurrent) && (
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
    <li className={lists.item}>
      <div className={`${lists.what} ${styles.brief}`}>
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
      </div>
      {!isCurrent && (
        <button
          type="button"
          className={buttons.quiet}
          aria-label={settingsTexts.endOf(browser)}
          onClick={onEnd}
        >
          {settingsTexts.end}
        </button>
      )}
    </li>
  );
}
