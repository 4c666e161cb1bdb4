import { type MouseEvent, useState } from 'react';
import { isPlainClick } from '../router/navigation.tsx';
import buttons from './button.module.css';
import styles from './more-link.module.css';
import { Alert } from './notice.tsx';
import { Spinner } from './spinner.tsx';

interface MoreLinkProps {
  /** The page with the next items, for browsers without JavaScript and for new tabs. */
  href: string;
  label: string;
  failedText: string;
  /** Appends the next items. Resolves to false when that failed. */
  load: () => Promise<boolean>;
}

export function MoreLink({ href, label, failedText, load }: MoreLinkProps) {
  const [status, setStatus] = useState<'idle' | 'busy' | 'failed'>('idle');

  const onClick = async (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (status === 'busy') return;
    setStatus('busy');
    setStatus((await load()) ? 'idle' : 'failed');
  };

  const isBusy = status === 'busy' || undefined;
  return (
    <div className={styles.more}>
      {status === 'failed' && <Alert>{failedText}</Alert>}
      <a
        className={buttons.quiet}
        href={href}
        onClick={onClick}
        aria-busy={isBusy}
        aria-disabled={isBusy}
      >
        {isBusy && <Spinner />}
        {label}
      </a>
    </div>
  );
}
