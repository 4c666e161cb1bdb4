import { pageRoutes } from '../../shared/routes.ts';
import buttons from './styles/button.module.css';
import { texts } from './texts.ts';
import { WayInLink } from './way-in-link.tsx';

/** Links for guests to sign in or sign up, below a sentence that says why. */
export function GuestLinks() {
  return (
    <div className="row">
      <WayInLink className={buttons.primary} href={pageRoutes.login}>
        {texts.signIn}
      </WayInLink>
      <WayInLink className={buttons.quiet} href={pageRoutes.register}>
        Crear cuenta
      </WayInLink>
    </div>
  );
}
