import { useEffect, useState } from 'react';
import type {
  DeletionRequested,
  PasskeyList,
  RecoveryCodesLeft,
  SessionList,
} from '../../shared/account-settings.ts';
import type { Profile } from '../../shared/accounts.ts';
import type { Bin as BinContent } from '../../shared/bin.ts';
import { pages } from '../../shared/pages.ts';
import { accountApi } from '../account/account-api.ts';
import { NeedsScript } from '../account/needs-script.tsx';
import { hasPasskeyAddress } from '../account/passkeys.ts';
import { refreshUser } from '../account/save-session.ts';
import { onCheckedProfile } from '../account/tabs.ts';
import { useRedirectHome } from '../account/use-session.ts';
import type { Result } from '../api/api.ts';
import { PageTitle } from '../components/page-title.tsx';
import { Loading } from '../components/spinner.tsx';
import { useStore, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { AccountSection } from './account-section.tsx';
import { Bin } from './bin.tsx';
import { DataSection } from './data-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PendingDeletion } from './pending-deletion.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SessionSection } from './session-section.tsx';
import styles from './settings.module.css';
import { settingsApi } from './settings-api.ts';

/** Everything that people decide about their account. */
export function SettingsPage() {
  const { id, isLogged } = useUser();
  useRedirectHome('settings');
  return (
    <>
      <NeedsScript title={pages.settings.title} />
      <div className={styles.page} data-for="user">
        <PageTitle>{pages.settings.title}</PageTitle>
        {isLogged && <Settings key={id} />}
      </div>
    </>
  );
}

interface Loaded {
  profile: Result<Profile>;
  sessions: Result<SessionList>;
  /** Null where the address of the page has none. */
  passkeys: Result<PasskeyList> | null;
  codes: Result<RecoveryCodesLeft>;
  bin: Result<BinContent>;
}

/** The sections, all at once: none moves when the list of another arrives. */
function Settings() {
  const store = useStore();
  const [loaded, setLoaded] = useState<Loaded | null>(null);

  useEffect(() => {
    const { signal, abort } = abortable();
    Promise.all([
      accountApi.getProfile(signal),
      settingsApi.listSessions(signal),
      hasPasskeyAddress() ? settingsApi.listPasskeys(signal) : null,
      settingsApi.countRecoveryCodes(signal),
      settingsApi.getBin(signal),
    ]).then(([profile, sessions, passkeys, codes, bin]) => {
      if (signal.aborted) return;
      if (profile.ok) refreshUser(profile.value, store);
      setLoaded({ profile, sessions, passkeys, codes, bin });
    });
    return abort;
  }, [store]);

  if (!loaded) return <Loading label={texts.loading} />;
  return <Sections {...loaded} />;
}

function Sections({ profile, sessions, passkeys, codes, bin }: Loaded) {
  const [deletion, setDeletion] = useState<Result<DeletionRequested | null>>(() =>
    profile.ok ? { ok: true, value: profile.value.deletion } : profile,
  );
  // Asked for, or cancelled, in another tab.
  useEffect(
    () => onCheckedProfile(({ deletion }) => setDeletion({ ok: true, value: deletion })),
    [],
  );
  const [passwords, setPasswords] = useState(0);
  const current = sessions.ok && sessions.value.data.find(({ isCurrent }) => isCurrent);
  const browser = current ? current.browser : '';
  return (
    <>
      {deletion.ok && deletion.value && <PendingDeletion {...deletion.value} />}
      <AccountSection onNewPassword={() => setPasswords(passwords + 1)} />
      <SessionSection initial={sessions} passwords={passwords} />
      <PasskeySection initial={passkeys} browser={browser} />
      <RecoverySection initial={codes} />
      <Bin initial={bin} />
      <DataSection deletion={deletion} setDeletion={setDeletion} />
    </>
  );
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
