import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageRoutes } from '../../../shared/routes.ts';
import type { SavedSettings } from '../../../shared/site-settings.ts';
import { request } from '../../api/request.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { listChannels } from '../../conversation/channel-calls.ts';
import { Link } from '../../dom/navigation.tsx';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { localStore } from '../../storage/browser-storage.ts';
import { focusTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import settings from '../../ui/styles/settings.module.css';
import styles from './first-steps.module.css';
import { getSettings } from './site-settings-calls.ts';

const steps = {
  name: 'Ponle nombre',
  rules: 'Escribe unas normas',
  contact: 'Pon un contacto',
  readers: 'Decide quién lee',
  registration: 'Elige quién puede entrar',
  reviewsFirstPosts: 'Revisa la primera publicación (recomendado si cualquiera puede entrar)',
  channel: 'Crea el primer canal',
} as const;
type Step = keyof typeof steps;

/** Whether the forum has a channel. Fetched each time the page is opened. */
export const useHasChannel = () =>
  useQuery({
    queryKey: ['first channel'],
    queryFn: async ({ signal }) => {
      const page = { order: 'new', after: null, limit: 1 } as const;
      return (await request(listChannels, page, { signal })).data.length > 0;
    },
    gcTime: 0,
  });

interface FirstStepsProps {
  saved: SavedSettings;
  hasChannel: boolean;
}

/**
 * First tasks in a new forum, on the settings page. Renders nothing once the settings were saved and there is a
 * channel.
 */
export function FirstSteps({ saved, hasChannel }: FirstStepsProps) {
  if (saved.revision > 0 && hasChannel) return null;
  return (
    <section className={`stack ${settings.section}`} aria-labelledby="lo-primero">
      <h2 id="lo-primero">Lo primero</h2>
      <Steps {...{ saved, hasChannel }} />
    </section>
  );
}

const closedKey = (userId: string) => `${userId} first steps closed`;

/** First tasks for an admin, on the home page, until all are done or the list is closed in this browser. */
export function FirstStepsOnHome() {
  const { id } = useUser();
  const hasChannel = useAppState(({ list }) => Boolean(list && list.ids.length > 0));
  const [isClosed, setClosed] = useState(() => localStore.get(closedKey(id)) !== null);
  const { data: saved } = useUserQuery(getSettings, undefined, {
    enabled: !isClosed,
    isBackground: true,
  });
  if (isClosed || !saved) return null;
  if (Object.values(whatIsDone(saved, hasChannel)).every(Boolean)) return null;
  const close = () => {
    localStore.set(closedKey(id), '');
    setClosed(true);
    focusTitle();
  };
  return (
    <section className={`stack ${styles.onHome}`} aria-labelledby="lo-primero">
      <h2 id="lo-primero">Lo primero</h2>
      <Steps {...{ saved, hasChannel }} />
      <button type="button" className={buttons.quiet} onClick={close}>
        Cerrar esta lista
      </button>
    </section>
  );
}

function whatIsDone(saved: SavedSettings, hasChannel: boolean): Record<Step, boolean> {
  return {
    name: saved.name !== '',
    rules: saved.rules !== '',
    contact: saved.contact !== '' || saved.fixed.includes('contact'),
    readers: saved.readers !== 'everyone',
    // A new site is open by default, so 'open' does not show that an admin chose it.
    registration: saved.registration !== 'open',
    reviewsFirstPosts: saved.reviewsFirstPosts,
    channel: hasChannel,
  };
}

function Steps({ saved, hasChannel }: FirstStepsProps) {
  const isDone = whatIsDone(saved, hasChannel);
  return (
    <ol className={`frame ${lists.list}`}>
      {(Object.keys(steps) as Step[]).map((step) => (
        <li key={step} className={styles.step}>
          {isDone[step] ? (
            <span className="target">{`✓ Hecho: ${steps[step]}`}</span>
          ) : (
            <Link
              className="target"
              href={step === 'channel' ? pageRoutes.create : settingUrl(step)}
            >
              {steps[step]}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}

const settingUrl = (name: string) => `${pageRoutes.siteSettings}#${name}`;
