import { type MouseEvent, useState } from 'react';
import { isPlainClick } from '../router/navigation.tsx';
import { useAnchors } from './anchors.tsx';
import buttons from './button.module.css';
import styles from './more-link.module.css';
import { Alert } from './notice.tsx';
import { Spinner } from './spinner.tsx';
import { useExclusive } from './use-exclusive.ts';

interface MoreLinkProps {
  /** The page with the next items, for browsers without JavaScript and for new tabs. */
  href: string;
  label: string;
  failedText: string;
  /** Appends the next items. Resolves to the id of the first, '' without one, null on failure. */
  load: () => Promise<string | null>;
}

/** A link that appends items, and then moves the focus to the first, unless it is elsewhere by then. */
export function MoreLink({ href, label, failedText, load }: MoreLinkProps) {
  const { focus } = useAnchors();
  const [hasFailed, setFailed] = useState(false);
  const { isBusy, run } = useExclusive(async () => {
    const focused = document.activeElement;
    setFailed(false);
    const id = await load();
    setFailed(id === null);
    // The body has it when the link was removed.
    const { activeElement, body } = document;
    if (id && (activeElement === focused || activeElement === body)) focus(id);
  });
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    run();
  };

  return (
    <div className={styles.more}>
      {hasFailed && <Alert>{failedText}</Alert>}
      <a
        className={buttons.quiet}
        href={href}
        onClick={onClick}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
      >
        {isBusy && <Spinner />}
        <span>{label}</span>
      </a>
    </div>
  );
}
