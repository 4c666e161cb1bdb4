import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { texts } from '../texts.ts';
import { PageBoundary } from './page-boundary.tsx';
import { isPageLeft } from './reload-after-failed-chunk.ts';
import { Loading } from './spinner.tsx';

/** A component whose script is loaded when it is first rendered. */
export interface LazyPart<Props extends object> {
  (props: Props): ReactNode;
  /** Preloads the script: afterwards the part renders without waiting. */
  load(): Promise<ComponentType<Props>>;
}

interface LazyOptions {
  /** Shows nothing while it loads or if loading fails. */
  isQuiet?: boolean;
}

/** `lazy` within a `Suspense`. Unlike `lazy` alone, a part whose script is already loaded shows no fallback. */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  {
    isQuiet = false,
    ofLoaded,
  }: LazyOptions & { ofLoaded?: () => ComponentType<Props> | undefined } = {},
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;

  async function load() {
    loaded ??= await importPart();
    return loaded;
  }

  const Loaded = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      // While the page is being left, a stopped load is not an error.
      if (isPageLeft()) await new Promise(() => {});
      throw error;
    }
  });

  function Part(props: Props) {
    // Kept for the lifetime of the component: another type would unmount it and discard typed text.
    const [Component] = useState(() => loaded ?? ofLoaded?.() ?? Loaded);
    return (
      <PageBoundary isQuiet={isQuiet}>
        <Suspense fallback={isQuiet ? null : <Loading label={texts.loading} />}>
          <Component {...props} />
        </Suspense>
      </PageBoundary>
    );
  }
  Part.load = load;
  return Part;
}

/** The exports of app/account-parts.ts, the script of what people with an account need. */
export type AccountParts = typeof import('../../app/account-parts.ts');

let accountParts: AccountParts | undefined;
let importAccountParts = (): Promise<AccountParts> => new Promise(() => {});

/**
 * Sets how that script is loaded. The entry does it, because the script imports parts that import this file. The server
 * renders as a guest and never loads it.
 */
export function setAccountParts(importParts: () => Promise<AccountParts>): void {
  importAccountParts = importParts;
}

/** Preloads that script, so that its parts also work when the connection is lost. */
export async function loadAccountParts(): Promise<AccountParts> {
  accountParts ??= await importAccountParts();
  return accountParts;
}

/** A lazy part that is loaded together with all others of app/account-parts.ts, and may query the server. */
export function accountPart<Props extends object>(
  pick: (parts: AccountParts) => ComponentType<Props>,
  options: LazyOptions = {},
): LazyPart<Props> {
  let part: ComponentType<Props> | undefined;
  const partOf = (parts: AccountParts) => {
    part ??= parts.withQueries(pick(parts));
    return part;
  };
  return lazyPart(async () => partOf(await loadAccountParts()), {
    ...options,
    ofLoaded: () => accountParts && partOf(accountParts),
  });
}
