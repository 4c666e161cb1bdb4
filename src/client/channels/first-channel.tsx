import { useId } from 'react';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import styles from './first-channel.module.css';
import { homeTexts } from './home-texts.ts';

/** The home page's list while there is no channel: the steps to open the first one. */
export function FirstChannel() {
  const { isLogged } = useUser();
  const id = useId();
  const steps = homeTexts.firstSteps;
  return (
    <section className={styles.first} aria-labelledby={id}>
      <img src={assetRoutes.azulejo('sin-canales')} width={1000} height={400} alt="" />
      <div className={styles.words}>
        <p className={styles.none}>{homeTexts.noChannels}</p>
        <h2 id={id}>{homeTexts.openFirst}</h2>
        <ol className={styles.steps}>
          <li>
            {isLogged ? (
              <span className={styles.step}>{steps.hasAccount}</span>
            ) : (
              <Link data-for="guest" className={styles.step} href={pageRoutes.register}>
                {steps.account}
              </Link>
            )}
            {isLogged ? <p>{steps.hasAccountHint}</p> : <p data-for="guest">{steps.accountHint}</p>}
          </li>
          <li>
            {isLogged ? (
              <Link className={styles.step} href={pageRoutes.create}>
                {steps.channel}
              </Link>
            ) : (
              <span className={styles.step}>{steps.channel}</span>
            )}
            <p>{steps.channelHint}</p>
          </li>
          <li>
            <span className={styles.step}>{steps.link}</span>
            <p>{steps.linkHint}</p>
          </li>
        </ol>
      </div>
    </section>
  );
}
