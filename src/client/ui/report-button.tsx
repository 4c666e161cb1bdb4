import { BrowserOnly, useUser } from '../state/store-provider.tsx';
import { Icon } from './icons.tsx';
import styles from './report-button.module.css';
import buttons from './styles/button.module.css';

interface ReportButtonProps {
  /** Read by screen readers after "Denunciar". */
  about: string;
  className?: string | undefined;
  onClick: () => void;
}

/** Button for guests to report something. Signed-in users have a menu entry instead. */
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
