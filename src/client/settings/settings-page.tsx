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
import { getProfile } from '../account/account-calls.ts';
import { onCheckedProfile } from '../account/check-profile.ts';
import { hasPasskeyAddress } from '../account/passkeys.ts';
import type { Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { NeedsScript } from '../components/needs-script.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Loading } from '../components/spinner.tsx';
import { useRedirectHome } from '../session/session-end.ts';
import { refreshUser } from '../session/tabs.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { AccountSection } from './account-section.tsx';
import { Bin } from './bin.tsx';
import { DataSection } from './data-section.tsx';
import { OtherWaysIn } from './other-ways-in.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PendingDeletion } from './pending-deletion.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SessionSection } from './session-section.tsx';
import styles from './settings.module.css';
import { countRecoveryCodes, listBin, listPasskeys, listSessions } from './settings-calls.ts';

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

/** The ways into the account beside its password, which change with it. */
interface Access {
  sessions: Result<SessionList>;
  /** Null where the address of the page has none. */
  passkeys: Result<PasskeyList> | null;
  codes: Result<RecoveryCodesLeft>;
}

interface Loaded {
  profile: Result<Profile>;
  access: Access;
  bin: Result<BinContent>;
}

async function loadAccess(signal?: AbortSignal): Promise<Access> {
  const [sessions, passkeys, codes] = await Promise.all([
    request(listSessions, undefined, { signal }),
    hasPasskeyAddress() ? request(listPasskeys, undefined, { signal }) : null,
    request(countRecoveryCodes, undefined, { signal }),
  ]);
  return { sessions, passkeys, codes };
}

/** The sections, all at once: none moves when the list of another arrives. */
function Settings() {
  const store = useStore();
  const [loaded, setLoaded] = useState<Loaded | null>(null);

  useEffect(() => {
    const { signal, abort } = abortable();
    Promise.all([
      request(getProfile, undefined, { signal }),
      loadAccess(signal),
      request(listBin, null, { signal }),
    ]).then(([profile, access, bin]) => {
      if (signal.aborted) return;
      if (profile.ok) refreshUser(profile.value, store);
      setLoaded({ profile, access, bin });
    });
    return abort;
  }, [store]);

  if (!loaded) return <Loading label={texts.loading} />;
  return <Sections {...loaded} />;
}

function Sections({ profile, access, bin }: Loaded) {
  const [deletion, setDeletion] = useState<Result<DeletionRequested | null>>(() =>
    profile.ok ? { ok: true, value: profile.value.deletion } : profile,
  );
  // Asked for, or cancelled, in another tab.
  useEffect(
    () => onCheckedProfile(({ deletion }) => setDeletion({ ok: true, value: deletion })),
    [],
  );
  const [passkeys, setPasskeys] = useState(access.passkeys);
  /** How often a passkey was removed here. */
  const [removals, setRemovals] = useState(0);
  /** `passwords`: how often the password was changed here. Its sections then begin anew. */
  const [{ sessions, codes, passwords }, setAccess] = useState({ ...access, passwords: 0 });
  const onNewPassword = async () => {
    const changed = await loadAccess();
    setPasskeys(changed.passkeys);
    setAccess({ ...changed, passwords: passwords + 1 });
  };
  const onRemoved = async () => {
    const left = await request(listSessions);
    setAccess((shown) => ({ ...shown, sessions: left }));
    setRemovals((before) => before + 1);
  };
  const passkeyState = { passkeys, setPasskeys, onRemoved };
  const current = sessions.ok && sessions.value.data.find(({ isCurrent }) => isCurrent);
  const browser = current ? current.browser : '';
  return (
    <>
      {deletion.ok && deletion.value && <PendingDeletion {...deletion.value} />}
      <AccountSection
        onNewPassword={onNewPassword}
        afterPassword={<OtherWaysIn {...passkeyState} />}
      />
      <SessionSection key={`sessions ${passwords} ${removals}`} initial={sessions} />
      <PasskeySection {...passkeyState} browser={browser} />
      <RecoverySection key={`codes ${passwords}`} initial={codes} />
      <Bin initial={bin} />
      <DataSection deletion={deletion} setDeletion={setDeletion} />
    </>
  );
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
