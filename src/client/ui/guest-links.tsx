import { pageRoutes } from '../../shared/routes.ts';
import { Link } from '../dom/navigation.tsx';
import buttons from './styles/button.module.css';
import { texts } from './texts.ts';

/** Links for guests to sign in or sign up, below a sentence that says why. */
export function GuestLinks() {
  return (
    <div className="row">
      <Link className={buttons.primary} href={pageRoutes.login}>
        {texts.signIn}
      </Link>
      <Link className={buttons.quiet} href={pageRoutes.register}>
        Crear cuenta
      </Link>
    </div>
  );
}
