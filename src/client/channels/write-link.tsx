import type { MouseEvent, ReactNode } from 'react';
import { writeAnchor } from '../../shared/routes.ts';
import { useAnchors } from '../components/anchors.tsx';

interface WriteLinkProps {
  className: string | undefined;
  children: ReactNode;
}

/** Moves the focus to the comment field; for guests, who have none, to the area around it. */
export function WriteLink({ className, children }: WriteLinkProps) {
  const { find } = useAnchors();
  const focusField = (event: MouseEvent) => {
    const area = find(writeAnchor);
    const field = area?.querySelector<HTMLTextAreaElement>('textarea:not([readonly])');
    event.preventDefault();
    area?.scrollIntoView({ block: 'center' });
    (field ?? area)?.focus({ preventScroll: true });
  };
  return (
    <a className={className} href={`#${writeAnchor}`} onClick={focusField}>
      {children}
    </a>
  );
}
