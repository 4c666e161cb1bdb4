import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { searchUrl } from '../../shared/routes.ts';
import { go, isPlainClick } from '../router/navigation.tsx';
import type { Search } from './search-address.ts';
import { searchTexts } from './search-texts.ts';
import { isTyping, showTyped } from './typed-search.ts';

interface SearchLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link to the same words in another order or in other comments. Words that are being typed stay so. */
export function SearchLink({ href, ...anchor }: SearchLinkProps) {
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (isTyping()) showTyped(href);
    else go(href);
  };
  return <a {...anchor} href={href} onClick={follow} />;
}

/** A link to the same search without its limit to a channel or to a person. */
export function WiderLink({ search, limit }: { search: Search; limit: 'channel' | 'author' }) {
  const href = searchUrl({ ...search, [limit]: undefined, after: null });
  return <SearchLink href={href}>{searchTexts.unlimited[limit]}</SearchLink>;
}
