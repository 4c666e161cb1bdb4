import { pageRoutes } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import styles from './header.module.css';
import { Menu } from './menu.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function Header() {
  return (
    <header className={styles.header}>
      <a className={styles.skip} href="#contenido">
        {texts.skipLink}
      </a>
      <div className={styles.column}>
        <Link className={styles.logo} href={pageRoutes.home}>
          {texts.siteName}
        </Link>
        <ThemeToggle />
        <Menu />
      </div>
    </header>
  );
}
