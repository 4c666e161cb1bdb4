import { homeUrl } from '../../shared/routes.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import type { Page } from '../router/match-page.ts';
import { Link } from '../router/navigation.tsx';
import { useAppState, useSite, useUser } from '../state/store-provider.tsx';
import { accountPart } from '../ui/loading/lazy-part.tsx';
import styles from './header.module.css';
import { Menu } from './menu.tsx';
import { ThemeToggle } from './theme/theme-toggle.tsx';

const ChannelSkips = accountPart((parts) => parts.ChannelSkips, { isQuiet: true });

/** A name with more characters than this is set in smaller type, on up to two lines. */
const longestPlain = 8;

export function Header({ page }: { page: Page }) {
  const name = siteNameOf(useSite());
  const { isLogged } = useUser();
  const order = useAppState(({ list }) => list?.order ?? 'comments');
  return (
    <header className={styles.header}>
      <a className={styles.skip} href="#contenido">
        Saltar al contenido
      </a>
      {page.name === 'channel' && isLogged && (
        <ChannelSkips key={page.id} id={page.id} className={styles.skip} />
      )}
      <div className={styles.column}>
        <Link
          className={`target ${styles.logo}`}
          href={homeUrl(order)}
          data-long={name.length > longestPlain || undefined}
        >
          <bdi className="clamped">{name}</bdi>
        </Link>
        <ThemeToggle />
        <Menu />
      </div>
    </header>
  );
}
