import { assetRoutes, encodedHash, pageRoutes } from '../../shared/routes.ts';
import { pageOf } from '../router/match-page.ts';
import { Link, usePath } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { accountPart, lazyPart } from '../ui/loading/lazy-part.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import buttons from '../ui/styles/button.module.css';
import styles from '../ui/styles/empty-page.module.css';

const UnsentComments = accountPart((parts) => parts.UnsentComments);
const HiddenChannel = accountPart((parts) => parts.HiddenChannel, { isQuiet: true });
const HiddenPerson = lazyPart(
  async () => (await import('./person/hidden-person.tsx')).HiddenPerson,
  {
    isQuiet: true,
  },
);

export function NotFound() {
  const path = usePath();
  const page = pageOf(path);
  const [meant = '', fragment] = path.split(encodedHash, 2);
  const isMangled = fragment !== undefined && pageOf(meant).name !== 'not-found';
  const { id, isLogged } = useUser();
  return (
    <div className={`page ${styles.page}`}>
      <img src={assetRoutes.azulejo('no-encontrada')} width={1000} height={400} alt="" />
      <PageTitle>Página no encontrada</PageTitle>
      <p className="muted">Aquí no hay nada, o lo que había ya no está.</p>
      {isLogged && page.name === 'channel' && (
        <>
          <HiddenChannel id={page.id} />
          <UnsentComments channelId={page.id} />
        </>
      )}
      {isLogged && page.name === 'user' && page.id === id && (
        <p>
          Tu página no se muestra por ahora: falta que el equipo de moderación apruebe algo tuyo, o
          lo ha ocultado todo.
        </p>
      )}
      {isLogged && page.name === 'user' && page.id !== id && <HiddenPerson id={page.id} />}
      {isMangled && (
        <p>
          El enlace que has seguido se estropeó por el camino.{' '}
          <a href={`${meant}#${fragment}`}>Abrir la dirección correcta</a>
        </p>
      )}
      <Link className={buttons.primary} href={pageRoutes.home}>
        Volver al inicio
      </Link>
    </div>
  );
}
