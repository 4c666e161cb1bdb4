import type { ReactNode } from 'react';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { useUser } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { NeedsScript } from '../ui/forms/needs-script.tsx';
import { Alert } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { WayInLink } from '../ui/way-in-link.tsx';
import { useRedirect } from './redirect.ts';

interface AccountPageProps {
  name: PageName;
  /** Whether the server renders the content, as for a guest; otherwise only the title. */
  isPrepared?: boolean;
  children: ReactNode;
}

/** The frame of a page for signed-in users. It is hidden from guests and redirects them. */
export function AccountPage({ name, isPrepared = false, children }: AccountPageProps) {
  const { isLogged } = useUser();
  const { title } = pages[name];
  if (useRedirect(name)) {
    return (
      <div className="page">
        <PageTitle>{title}</PageTitle>
        <Alert>
          Tu sesión todavía no se ha podido abrir, porque el servidor no responde. Se intentará otra
          vez cuando vuelva la conexión.
        </Alert>
        <p className="links">
          <WayInLink href={pageRoutes.login}>{accountTexts.signIn}</WayInLink>
        </p>
      </div>
    );
  }
  return (
    <>
      <NeedsScript title={title} />
      <div data-for="user">
        {isPrepared && children}
        {!isPrepared && isLogged && children}
        {!isPrepared && !isLogged && <PageTitle>{title}</PageTitle>}
      </div>
    </>
  );
}
