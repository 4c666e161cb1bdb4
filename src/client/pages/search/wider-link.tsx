import { searchUrl } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import type { Search } from './search-address.ts';

/** A link to the same search without its limit to a channel or a person. */
export function WiderLink({ search, limit }: { search: Search; limit: 'channel' | 'author' }) {
  const href = searchUrl({ ...search, [limit]: undefined, after: null });
  return (
    <Link href={href}>
      {limit === 'channel' ? 'Buscar en todos los canales' : 'Buscar en los comentarios de todos'}
    </Link>
  );
}
