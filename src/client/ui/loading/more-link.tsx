import { type MouseEvent, useState } from 'react';
import { Failure } from '../../api/failures.ts';
import { isPlainClick } from '../../router/navigation.tsx';
import { Alert } from '../notice.tsx';
import buttons from '../styles/button.module.css';
import styles from './more-link.module.css';
import { Spinner } from './spinner.tsx';

interface MoreLinkProps {
  /** The page with the next items, for browsers without JavaScript and for new tabs. */
  href: string;
  label: string;
  /**
   * Loads the next items. @returns a function that finds the first of them once they are rendered
   * @throws `Failure`
   */
  load: (link: HTMLElement) => Promise<() => HTMLElement | null | undefined>;
}

/** A link that loads more items and then focuses the first of them, unless the user has moved the focus. */
export function MoreLink({ href, label, load }: MoreLinkProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const loadMore = async (link: HTMLElement) => {
    const focused = document.activeElement;
    const { pathname } = location;
    setFailure(null);
    setBusy(true);
    try {
      const findFirst = await load(link);
      requestAnimationFrame(() => {
        if (location.pathname !== pathname) return;
        const { activeElement } = document;
        const isWriting = activeElement?.matches('input, textarea');
        // If the link was removed, the focus was moved automatically to an element near it.
        if (activeElement !== focused && (focused?.isConnected || isWriting)) return;
        const first = findFirst();
        if (first) first.focus({ preventScroll: true });
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (!isBusy) void loadMore(event.currentTarget);
  };

  return (
    <div className={`stack ${styles.more}`}>
      {failure && <Alert>{failure.text}</Alert>}
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

export interface PagedProps extends Pick<MoreLinkProps, 'href' | 'label'> {
  query: {
    hasNextPage: boolean;
    fetchNextPage: (options: { throwOnError: true }) => Promise<unknown>;
  };
}

/** Below the pages of a query: a link that loads the next page, if there is one. */
export function Paged({ query: { hasNextPage, fetchNextPage }, ...link }: PagedProps) {
  if (!hasNextPage) return null;
  const load = async (element: HTMLElement) => {
    const items = element.parentElement?.previousElementSibling?.children;
    const count = items?.length ?? 0;
    await fetchNextPage({ throwOnError: true });
    return () => {
      const first = items?.[count];
      const focusable = '[tabindex], a';
      return first?.matches(focusable)
        ? (first as HTMLElement)
        : first?.querySelector<HTMLElement>(focusable);
    };
  };
  return <MoreLink {...link} load={load} />;
}
