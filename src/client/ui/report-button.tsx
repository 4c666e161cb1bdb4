import { BrowserOnly, useUser } from '../state/store-provider.tsx';
import { Icon } from './icons.tsx';
import styles from './report-button.module.css';
import buttons from './styles/button.module.css';

interface ReportButtonProps {
  /** A screen reader says it after "Denunciar". */
  about: string;
  className?: string | undefined;
  onClick: () => void;
}

/** Reports something as a guest. People with an account do it in a menu. */
export function ReportButton({ about, className = '', onClick }: ReportButtonProps) {
  const { isLogged } = useUser();
  return (
    <BrowserOnly>
      {!isLogged && (
        <button
          type="button"
          data-for="guest"
          className={`${buttons.round} ${styles.report} ${className}`}
          aria-label={`Denunciar: ${about}`}
          title="Denunciar"
          onClick={onClick}
        >
          <Icon size={17} path="M5 21V4h13l-3 4.5 3 4.5H5" />
        </button>
      )}
    </BrowserOnly>
  );
}
