import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go, isPlainClick } from '../router/navigation.tsx';
import { isTyping, showTyped } from './typed-search.ts';

interface SearchLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link to the same words in another order or in all channels. Words that are being typed stay so. */
export function SearchLink({ href, ...anchor }: SearchLinkProps) {
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (isTyping()) showTyped(href);
    else go(href);
  };
  return <a {...anchor} href={href} onClick={follow} />;
}
