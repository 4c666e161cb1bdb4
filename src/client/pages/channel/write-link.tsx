import type { MouseEvent, ReactNode } from 'react';
import { writeAnchor } from '../../../shared/routes.ts';
import { focusField } from '../../dom/focus-field.ts';

interface WriteLinkProps {
  className: string | undefined;
  children: ReactNode;
}

/** Moves the focus to the comment field; for guests, who have none, to the area around it. */
export function WriteLink({ className, children }: WriteLinkProps) {
  const write = (event: MouseEvent) => {
    event.preventDefault();
    focusField(writeAnchor);
  };
  return (
    <a className={className} href={`#${writeAnchor}`} onClick={write}>
      {children}
    </a>
  );
}
