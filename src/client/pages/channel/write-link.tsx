import type { MouseEvent, ReactNode } from 'react';
import { writeAnchor } from '../../../shared/routes.ts';
import { focusField } from '../../dom/focus-field.ts';

interface WriteLinkProps {
  className: string | undefined;
  children: ReactNode;
}

/** Moves the focus to the comment field; for guests, who have no field, to the area in its place. */
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
