import { useSite } from '../state/store-provider.tsx';
import styles from './footer.module.css';

export function Footer() {
  const { socialLinks } = useSite();
  return (
    <footer className={`stack ${styles.footer}`}>
      <nav aria-label="Redes sociales">
        <ul className={`links row ${styles.links}`}>
          {socialLinks.map(({ label, href }) => (
            <li key={href}>
              <a className="plain" href={href} rel="noopener">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p className="muted">Hecho con 💚 por 🦖</p>
    </footer>
  );
}
