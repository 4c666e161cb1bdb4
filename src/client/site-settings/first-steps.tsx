import { useQuery } from '@tanstack/react-query';
import { pageRoutes } from '../../shared/routes.ts';
import type { SavedSettings } from '../../shared/site-settings.ts';
import { request } from '../api/request.ts';
import { listChannels } from '../channels/channel-calls.ts';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { Link } from '../router/navigation.tsx';
import settings from '../settings/settings.module.css';

const steps = {
  name: 'Ponle nombre',
  rules: 'Escribe unas normas',
  contact: 'Di a quién preguntar',
  registration: 'Elige quién puede entrar',
  holdsFirstPosts: 'Revisa la primera publicación (recomendado si cualquiera puede entrar)',
  channel: 'Crea el primer canal',
} as const;

/** Whether the forum has a channel. It is asked anew each time that the page is opened. */
export const useHasChannel = () =>
  useQuery({
    queryKey: ['first channel'],
    queryFn: async ({ signal }) => {
      const page = { order: 'new', after: null, limit: 1 } as const;
      return (await request(listChannels, page, { signal })).data.length > 0;
    },
    gcTime: 0,
  });

/** A list of first tasks in a new forum. Nothing once the settings were saved and there is a channel. */
export function FirstSteps({ saved, hasChannel }: { saved: SavedSettings; hasChannel: boolean }) {
  const isSaved = saved.revision > 0;
  if (isSaved && hasChannel) return null;
  const isDone = {
    name: saved.name !== '',
    rules: saved.rules !== '',
    registration: isSaved,
    contact: saved.contact !== '' || saved.fixed.includes('contact'),
    holdsFirstPosts: saved.holdsFirstPosts,
    channel: hasChannel,
  };
  return (
    <section className={settings.section} aria-labelledby="lo-primero">
      <h2 id="lo-primero">Lo primero</h2>
      <ol className={lists.list}>
        {(Object.keys(steps) as (keyof typeof steps)[]).map((step) => (
          <li key={step} className={lists.item}>
            {!isDone[step] && step === 'channel' ? (
              <Link className={buttons.quiet} href={pageRoutes.create}>
                {steps[step]}
              </Link>
            ) : (
              <span>{isDone[step] ? `✓ Hecho: ${steps[step]}` : steps[step]}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
