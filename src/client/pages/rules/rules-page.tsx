import { limits } from '../../../shared/limits.ts';
import { pages } from '../../../shared/pages.ts';
import { contactAnchor, pageRoutes } from '../../../shared/routes.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { entryState } from '../../dom/entry-state.ts';
import { Link, showFragment } from '../../dom/navigation.tsx';
import { useRules } from '../../moderation/site/use-rules.ts';
import { Contact } from '../../ui/contact.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './rules-page.module.css';

const { trashDays, deletionDays, sessionDays } = limits;
/** Must agree with docs/security.md. */
const periods = [
  ['Comentarios y canales eliminados', `${trashDays} días en la papelera`],
  ['Versiones anteriores de lo que se cambia', `${trashDays} días`],
  ['Textos e imágenes denunciados', `${trashDays} días desde que se decide`],
  ['Lo que espera revisión y lo rechazado', `${trashDays} días`],
  ['Solicitudes de cuenta no aceptadas', `${trashDays} días`],
  ['Cuentas que elimina su titular', `${deletionDays} días; después se borran`],
  ['Sesiones', `${sessionDays} días sin usarlas, si quien administra no ha puesto otro plazo`],
  ['Registro de moderación', 'Siempre'],
  ['Copias de seguridad', 'Según quien administra'],
  ['Restos en el disco de lo borrado, que el foro no muestra', 'Hasta que se escriba encima'],
] as const;

/** Scrolls to the heading when a link within the site leads to it. */
function showWhenFollowed(heading: HTMLElement | null): void {
  if (heading && entryState().isFragmentPending) showFragment(heading);
}

/** The community's rules, contact, and retention periods. */
export function RulesPage() {
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.rules.title}</PageTitle>
      <Loaded query={useRules()}>
        {({ rules, contact }) => (
          <>
            <CommentText
              text={
                rules ||
                'Esta comunidad aún no ha escrito sus normas. Mientras tanto: trata a las demás personas como quieres que te traten.'
              }
            />
            {contact && (
              <h2 id={contactAnchor} tabIndex={-1} ref={showWhenFollowed}>
                Contacto
              </h2>
            )}
            {contact && (
              <p>
                <Contact contact={contact} />
              </p>
            )}
          </>
        )}
      </Loaded>
      <p>
        Lo que deciden quienes moderan está, sin nombres ni textos, en el{' '}
        <Link href={pageRoutes.log}>{pages.log.title?.toLowerCase()}</Link>.
      </p>
      <h2 id="plazos">Cuánto tiempo se guarda cada cosa</h2>
      <table aria-labelledby="plazos">
        <thead>
          <tr>
            <th scope="col">Qué</th>
            <th scope="col">Cuánto</th>
          </tr>
        </thead>
        <tbody>
          {periods.map(([what, howLong]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{howLong}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
