import { searchUrl } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import type { Search } from './search-address.ts';

const unlimited = {
  channel: 'Buscar en todos los canales',
  author: 'Buscar en los comentarios de todos',
} as const;

/** A link to the same search without its limit to a channel or to a person. */
export function WiderLink({ search, limit }: { search: Search; limit: 'channel' | 'author' }) {
  const href = searchUrl({ ...search, [limit]: undefined, after: null });
  return <Link href={href}>{unlimited[limit]}</Link>;
}
