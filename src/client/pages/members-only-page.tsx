import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { siteNameOf, siteTile } from '../../shared/site-name.ts';
import { useSite } from '../state/store-provider.tsx';
import { Contact } from '../ui/contact.tsx';
import { FounderNote } from '../ui/founder-note.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import buttons from '../ui/styles/button.module.css';
import styles from '../ui/styles/empty-page.module.css';
import { texts } from '../ui/texts.ts';
import { WayInLink } from '../ui/way-in-link.tsx';

/** The only page of a community of members that guests get, at every address. */
export function MembersOnly() {
  const site = useSite();
  const { registration, welcome, contact } = site;
  const isOpen = registration === 'open' || registration === 'request';
  return (
    <div className={`page ${styles.page}`}>
      <img src={assetRoutes.azulejo(siteTile(site))} width={1000} height={400} alt="" />
      <PageTitle>
        <bdi>{siteNameOf(site)}</bdi>
      </PageTitle>
      {welcome !== '' && <p dir="auto">{welcome}</p>}
      <p>Esta comunidad solo la leen sus miembros.</p>
      <WayInLink className={buttons.primary} href={pageRoutes.login}>
        {texts.signIn}
      </WayInLink>
      {isOpen && (
        <WayInLink className={buttons.quiet} href={pageRoutes.register}>
          Registrarse
        </WayInLink>
      )}
      {registration === 'invitation' && (
        <p className="muted">Se entra con una invitación de alguien que ya es miembro.</p>
      )}
      {contact && (
        <p className="muted">
          ¿Preguntas? <Contact contact={contact} />
        </p>
      )}
      <FounderNote />
    </div>
  );
}
