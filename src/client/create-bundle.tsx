import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { PageBoundary } from './components/page-boundary.tsx';
import { Loading } from './components/spinner.tsx';
import { texts } from './texts.ts';

/** A script that the browser loads besides the entry, as a module of type `Exports`. */
export interface Bundle<Exports> {
  /** Components of the bundle that are first rendered afterwards render synchronously. */
  load(): Promise<Exports>;
  /** Loads the bundle ahead of its use; a failure shows when the bundle is used. */
  preload(): void;
  /**
   * A component of the bundle, loaded when it first renders. When loading fails, as after an update
   * of the site, it shows an error and offers to reload the page.
   */
  component<Props extends object>(pick: Pick<Exports, Props>): ComponentType<Props>;
  /** A component that renders nothing until the page is hydrated and the bundle has loaded. */
  lateComponent<Props extends object>(pick: Pick<Exports, Props>): ComponentType<Props>;
}

type Pick<Exports, Props> = (exports: Exports) => ComponentType<Props>;

export function createBundle<Exports>(importBundle: () => Promise<Exports>): Bundle<Exports> {
  let loaded: Exports | undefined;
  const listeners = new Set<() => void>();

  const load = async () => {
    const exports = await importBundle();
    if (!loaded) {
      loaded = exports;
      for (const listener of listeners) listener();
    }
    return loaded;
  };

  const preload = () => {
    load().catch(() => {});
  };

  const getLoaded = () => loaded;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

  return {
    load,
    preload,
    component<Props extends object>(pick: Pick<Exports, Props>) {
      // Not `lazy`: React would show it up to 300 ms after the late components of the same bundle.
      function Loaded(props: Props) {
        const exports = useSyncExternalStore(subscribe, getLoaded, getLoaded);
        const [error, setError] = useState<unknown>();
        useEffect(() => {
          load().catch(setError);
        }, []);
        if (exports) {
          const Component = pick(exports);
          return <Component {...props} />;
        }
        if (error) throw error;
        return <Loading label={texts.loading} />;
      }
      return function OnDemand(props: Props) {
        return (
          <PageBoundary>
            <Loaded {...props} />
          </PageBoundary>
        );
      };
    },
    lateComponent(pick) {
      return function Late(props) {
        const exports = useSyncExternalStore(subscribe, getLoaded, () => undefined);
        useEffect(preload, []);
        const Component = exports && pick(exports);
        return Component && <Component {...props} />;
      };
    },
  };
}
