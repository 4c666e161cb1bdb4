import { searchUrl } from '../../../shared/routes.ts';
import type { SearchOrder } from '../../../shared/search.ts';
import { Link } from '../../dom/navigation.tsx';
import styles from '../../ui/styles/orders.module.css';
import type { Search } from './search-address.ts';

const ordersTexts = { new: 'Más recientes', relevance: 'Más relevantes' } as const;

const orders = Object.keys(ordersTexts) as SearchOrder[];

/** Links to the hits in the other order. */
export function SearchOrders({ search }: { search: Search }) {
  return (
    <nav aria-label="Orden de los resultados">
      <ul className={`links row ${styles.orders}`}>
        {orders.map((one) => (
          <li key={one}>
            <Link
              href={searchUrl({ ...search, sort: one, after: null })}
              aria-current={one === search.sort ? 'page' : undefined}
            >
              {ordersTexts[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
