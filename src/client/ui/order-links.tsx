import { Link } from '../router/navigation.tsx';
import styles from './styles/orders.module.css';

interface OrderLinksProps<Order extends string> {
  label: string;
  texts: Readonly<Record<Order, string>>;
  current: Order;
  hrefOf: (order: Order) => string;
}

/** Links to the same list in each of its orders. */
export function OrderLinks<Order extends string>({
  label,
  texts,
  current,
  hrefOf,
}: OrderLinksProps<Order>) {
  return (
    <nav className={styles.nav} aria-label={label}>
      <ul className={`links row ${styles.orders}`}>
        {(Object.keys(texts) as Order[]).map((one) => (
          <li key={one}>
            <Link href={hrefOf(one)} aria-current={one === current ? 'page' : undefined}>
              {texts[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
