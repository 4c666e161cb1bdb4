import { searchUrl } from '../../shared/routes.ts';
import type { SearchOrder } from '../../shared/search.ts';
import styles from '../components/orders.module.css';
import { Link } from '../router/navigation.tsx';
import type { Search } from './search-address.ts';
import { searchTexts } from './search-texts.ts';

const orders = Object.keys(searchTexts.orders) as SearchOrder[];

/** Links to the hits in the other order. */
export function SearchOrders({ search }: { search: Search }) {
  return (
    <nav aria-label={searchTexts.ordersOfHits}>
      <ul className={styles.orders}>
        {orders.map((one) => (
          <li key={one}>
            <Link
              href={searchUrl({ ...search, sort: one, after: null })}
              aria-current={one === search.sort ? 'page' : undefined}
            >
              {searchTexts.orders[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
