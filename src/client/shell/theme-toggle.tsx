import { Moon, Sun } from '../components/icons.tsx';
import { texts } from '../texts.ts';
import { toggleTheme } from './theme.ts';
import styles from './theme-toggle.module.css';

/** The server cannot know the theme: both faces are there, icon and name, and CSS shows one. */
export function ThemeToggle() {
  return (
    <button type="button" className={styles.toggle} onClick={toggleTheme}>
      <span className={styles.inLight}>
        <Sun size={20} />
        <span className="visually-hidden">{texts.toDark}</span>
      </span>
      <span className={styles.inDark}>
        <Moon size={20} />
        <span className="visually-hidden">{texts.toLight}</span>
      </span>
    </button>
  );
}
