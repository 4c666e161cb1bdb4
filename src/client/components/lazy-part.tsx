import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { texts } from '../texts.ts';
import { isPageLeft } from './missing-parts.ts';
import { PageBoundary } from './page-boundary.tsx';
import { Loading } from './spinner.tsx';

/** A component whose script is loaded when it is first rendered. */
export interface LazyPart<Props extends object> {
  (props: Props): ReactNode;
  /** Loads the script ahead: afterwards the part renders without waiting. */
  load(): Promise<ComponentType<Props>>;
}

interface LazyOptions {
  /** Whether people with an account need it, for `preloadAccountParts`. */
  isForAccount?: boolean;
  /** Shows nothing while it loads, nor if that fails. */
  isQuiet?: boolean;
}

const accountLoads: (() => Promise<unknown>)[] = [];

/** Loads what people with an account may need on any page, also when the connection is lost later. */
export function preloadAccountParts(): void {
  for (const load of accountLoads) load().catch(() => {});
}

/** `lazy` within a `Suspense`. Unlike with `lazy` alone, a part whose script is loaded shows no fallback. */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  { isForAccount = false, isQuiet = false }: LazyOptions = {},
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
      // It is no failure of a page that is left.
      if (isPageLeft()) await new Promise(() => {});
      throw error;
    }
  });

  function Part(props: Props) {
    // It stays the same while it is rendered: another type would discard what was typed.
    const [Component] = useState(() => loaded ?? Loaded);
    return (
      <PageBoundary isQuiet={isQuiet}>
        <Suspense fallback={isQuiet ? null : <Loading label={texts.loading} />}>
          <Component {...props} />
        </Suspense>
      </PageBoundary>
    );
  }
  Part.load = load;
  if (isForAccount) accountLoads.push(load);
  return Part;
}
