import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import { pages } from '../../../shared/pages.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { useHydrated, useSite } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './rules-page.module.css';
import { RulesText } from './rules-text.tsx';

const { trashDays, deletionDays, sessionDays } = limits;
/** Must agree with docs/security.md. */
const periods = [
  ['Comentarios y canales eliminados', `${trashDays} días en la papelera`],
  ['Versiones anteriores de lo que se cambia', `${trashDays} días`],
  ['Textos, imágenes y archivos denunciados', `${trashDays} días desde que se decide`],
  ['Lo que espera revisión y lo rechazado', `${trashDays} días`],
  ['Solicitudes de cuenta no aceptadas', `${trashDays} días`],
  ['Cuentas que elimina su titular', `${deletionDays} días; después se borran`],
  ['Sesiones', `${sessionDays} días sin usarlas, si quien administra no ha puesto otro plazo`],
  ['Registro de moderación', 'Siempre'],
  ['Copias de seguridad', 'Según quien administra'],
  ['Restos en el disco de lo borrado, que el foro no muestra', 'Hasta que se escriba encima'],
] as const;

/** A component, so that the page as it was served does without the script that asks for the rules. */
const FetchedRules = lazyPart(async () => (await import('./fetched-rules.tsx')).FetchedRules);

/** The community's rules, contact, and retention periods. */
export function RulesPage() {
  const { rules, contact } = useSite();
  const [isServed] = useState(!useHydrated());
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.rules.title}</PageTitle>
      {isServed && rules !== undefined ? (
        <RulesText rules={rules} contact={contact ?? ''} />
      ) : (
        <FetchedRules />
      )}
      <p>
        Lo que decide el equipo de moderación está, sin nombres ni textos, en el{' '}
        <Link href={pageRoutes.log}>{pages.log.title?.toLowerCase()}</Link>.
      </p>
      <p>
        Los archivos que la gente sube no los ha revisado nadie: ábrelos si confías en quien los
        envía.
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
