import { pageRoutes } from '../../shared/routes.ts';
import { Link } from '../dom/navigation.tsx';
import buttons from './styles/button.module.css';
import { texts } from './texts.ts';

/** The ways in for a guest, below the sentence that says what needs a session. */
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
