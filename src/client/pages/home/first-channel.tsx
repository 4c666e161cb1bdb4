import { useId } from 'react';
import { assetRoutes, pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { useSite, useUser } from '../../state/store-provider.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './first-channel.module.css';

/** Shown on the home page while there is no channel: the steps to open the first one. */
export function FirstChannel() {
  const { isLogged } = useUser();
  const { readers } = useSite();
  const id = useId();
  return (
    <section className={`stack ${styles.first}`} aria-labelledby={id}>
      <img src={assetRoutes.azulejo('sin-canales')} width={1000} height={400} alt="" />
      <div className={styles.words}>
        <h2 id={id}>Abre el primer canal</h2>
        <ol className={`stack ${styles.steps}`}>
          <li>
            {isLogged ? (
              <span className={`target ${styles.step}`}>Ya tienes cuenta</span>
            ) : (
              <Link data-for="guest" className={`target ${styles.step}`} href={pageRoutes.register}>
                Crea tu cuenta
              </Link>
            )}
            {isLogged ? (
              <p>Con ella abres canales y comentas.</p>
            ) : (
              <p data-for="guest">Con un nombre, un correo y una contraseña.</p>
            )}
          </li>
          <li>
            {isLogged ? (
              <Link className={`target ${styles.step}`} href={pageRoutes.create}>
                Crea un canal
              </Link>
            ) : (
              <span className={`target ${styles.step}`}>Crea un canal</span>
            )}
            <p>
              Ponle un nombre, cuenta de qué trata y elige una portada. Si no tienes una imagen a
              mano, usa un azulejo.
            </p>
          </li>
          <li>
            <span className={`target ${styles.step}`}>Comparte el enlace con tu grupo</span>
            <p>{`Lo compartes en la página del canal. ${texts.whoReads[readers]}`}</p>
          </li>
        </ol>
      </div>
    </section>
  );
}
