import type { ComponentProps } from 'react';
import { Link, useAddress } from '../router/navigation.tsx';
import { withNext } from '../router/next-page.ts';
import { useHydrated } from '../state/store-provider.tsx';

/** A link to a page that leads to a session, and from there back to this page. The server renders it without the way back. */
export function WayInLink({ href, ...anchor }: ComponentProps<typeof Link>) {
  const isReady = useHydrated();
  useAddress();
  return <Link {...anchor} href={isReady ? withNext(href) : href} />;
}
