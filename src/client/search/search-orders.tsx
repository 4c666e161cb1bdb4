import { searchUrl } from '../../shared/routes.ts';
import type { SearchOrder } from '../../shared/search.ts';
import { SearchLink } from './search-link.tsx';
import styles from './search-orders.module.css';
import type { SearchPlace } from './search-place.ts';
import { searchTexts } from './search-texts.ts';

const orders = Object.keys(searchTexts.orders) as SearchOrder[];

/** Links to the hits in the other order. */
export function SearchOrders({ place: { q, channel, sort } }: { place: SearchPlace }) {
  return (
    <nav aria-label={searchTexts.ordersOfHits}>
      <ul className={styles.orders}>
        {orders.map((one) => (
          <li key={one}>
            <SearchLink
              href={searchUrl({ q, channel, sort: one })}
              aria-current={one === sort ? 'page' : undefined}
            >
              {searchTexts.orders[one]}
            </SearchLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
