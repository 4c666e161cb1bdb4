import { Moon, Sun } from '../../ui/icons.tsx';
import buttons from '../../ui/styles/button.module.css';
import { toggleTheme } from './theme.ts';
import styles from './theme-toggle.module.css';

/** Renders the icon and label of both themes, since the server does not know the theme. CSS shows one of them. */
export function ThemeToggle() {
  return (
    <button type="button" className={`${buttons.round} ${styles.toggle}`} onClick={toggleTheme}>
      <span className={styles.inLight}>
        <Sun size={20} />
        <span className="visually-hidden">Cambiar a tema oscuro</span>
      </span>
      <span className={styles.inDark}>
        <Moon size={20} />
        <span className="visually-hidden">Cambiar a tema claro</span>
      </span>
    </button>
  );
}
