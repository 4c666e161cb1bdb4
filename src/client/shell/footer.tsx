import { useSite } from '../state/store-provider.tsx';
import styles from './footer.module.css';

export function Footer() {
  const { socialLinks } = useSite();
  return (
    <footer className={styles.footer}>
      <nav aria-label="Redes sociales">
        <ul className={styles.links}>
          {socialLinks.map(({ label, href }) => (
            <li key={href}>
              <a className={styles.link} href={href} rel="noopener">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p className={styles.madeWith}>Hecho con 💚 por 🦖</p>
    </footer>
  );
}
