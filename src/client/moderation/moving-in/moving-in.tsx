import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageRoutes } from '../../../shared/routes.ts';
import { userQuery } from '../../api/user-query.ts';
import { Link } from '../../router/navigation.tsx';
import { useSite, useUser } from '../../state/store-provider.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import { ImportList } from './import-list.tsx';
import { getMovingIn } from './moving-in-calls.ts';
import { RunningImport } from './running-import.tsx';
import { UploadSection } from './upload-section.tsx';
import { UploadedChat } from './uploaded-chat.tsx';

/** How often progress is fetched. */
const intervalMs = 2000;

/** Brings a chat in three steps: its file is sent, somebody decides about it, and it becomes a channel. */
export function MovingIn() {
  const { id } = useUser();
  const { readers } = useSite();
  const query = useQuery({
    ...userQuery(id, getMovingIn),
    refetchInterval: ({ state: { data } }) =>
      data?.imports.some(({ state }) => state === 'running') ? intervalMs : false,
  });
  const running = query.data?.imports.find(({ state }) => state === 'running');
  const step = running ? 'running' : query.data?.upload ? 'uploaded' : 'none';
  // The part with the button that had the focus is replaced.
  useEffect(() => {
    if (step && document.activeElement === document.body) focusTitle();
  }, [step]);
  const refetch = async () => void (await query.refetch());

  if (readers !== 'members') {
    return (
      <p>
        Un grupo solo se trae a una comunidad que leen sus miembros, porque quienes escribieron en
        él no lo hicieron para cualquiera. Elígelo antes en{' '}
        <Link href={pageRoutes.siteSettings}>Ajustes de la comunidad</Link>.
      </p>
    );
  }
  return (
    <Loaded query={query}>
      {({ upload, imports }) => (
        <>
          {running && (
            <RunningImport
              key={running.channelId + running.startedAt}
              running={running}
              atMs={query.dataUpdatedAt}
              refetch={refetch}
            />
          )}
          {!running && !upload && <UploadSection refetch={refetch} />}
          {!running && upload && (
            <UploadedChat key={upload.erasedAt} {...{ upload, imports, refetch }} />
          )}
          <ImportList imports={imports.filter((one) => one !== running)} refetch={refetch} />
        </>
      )}
    </Loaded>
  );
}
