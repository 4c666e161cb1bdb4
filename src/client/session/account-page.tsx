import { Fragment, type ReactNode } from 'react';
import { type PageName, pages } from '../../shared/pages.ts';
import { NeedsScript } from '../components/needs-script.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { useUser } from '../state/store-provider.tsx';
import { useRedirectHome } from './session-end.ts';

interface AccountPageProps {
  name: PageName;
  /** Whether the server prepares what is on it, as for a guest; otherwise only its title. */
  isPrepared?: boolean;
  children: ReactNode;
}

/** The frame of a page of signed-in people, which is hidden from guests and sends them home. */
export function AccountPage({ name, isPrepared = false, children }: AccountPageProps) {
  const { id, isLogged } = useUser();
  const { title } = pages[name];
  useRedirectHome(name);
  return (
    <>
      <NeedsScript title={title} />
      <div data-for="user">
        {isPrepared && children}
        {!isPrepared && isLogged && <Fragment key={id}>{children}</Fragment>}
        {!isPrepared && !isLogged && <PageTitle>{title}</PageTitle>}
      </div>
    </>
  );
}
