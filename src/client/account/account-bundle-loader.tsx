import {
  type ComponentProps,
  type ComponentType,
  lazy,
  Suspense,
  useState,
  useSyncExternalStore,
} from 'react';
import { Loading } from '../components/spinner.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { texts } from '../texts.ts';

type AccountBundle = typeof import('./account-bundle.ts');

let loaded: AccountBundle | undefined;
const listeners = new Set<() => void>();

/** Loads the account bundle. Components rendered after it has loaded render synchronously. */
export async function loadAccountBundle(): Promise<AccountBundle> {
  const bundle = await import('./account-bundle.ts');
  if (!loaded) {
    loaded = bundle;
    for (const listener of listeners) listener();
  }
  return loaded;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Loads the account bundle ahead of its use; a failure shows when the bundle is used. */
export function preloadAccountBundle(): void {
  loadAccountBundle().catch(() => {});
}

/** The buttons on a comment for a signed-in user; nothing until the bundle has loaded. */
export function CommentTools(props: ComponentProps<AccountBundle['CommentTools']>) {
  const Loaded = useSyncExternalStore(
    subscribe,
    () => loaded?.CommentTools,
    () => undefined,
  );
  // biome-ignore lint/nursery/useReactCompiler: once it has loaded, it is always the same component
  return Loaded && <Loaded {...props} />;
}

export const CommentEditor = onDemand((bundle) => bundle.CommentEditor);
export const CommentForm = onDemand((bundle) => bundle.CommentForm);
export const Create = onDemand((bundle) => bundle.Create);
export const UnsentComments = onDemand((bundle) => bundle.UnsentComments);
export const Login = onDemand((bundle) => bundle.Login);
export const MarkAllRead = onDemand((bundle) => bundle.MarkAllRead);
export const NewPassword = onDemand((bundle) => bundle.NewPassword);
export const ProfilePage = onDemand((bundle) => bundle.ProfilePage);
export const Register = onDemand((bundle) => bundle.Register);

/**
 * A component of the account bundle, loaded when it first renders. When loading fails, as after an
 * update of the site, it shows an error and offers to reload the page.
 */
function onDemand<Props extends object>(pick: (bundle: AccountBundle) => ComponentType<Props>) {
  const Lazy = lazy(async () => ({ default: pick(await loadAccountBundle()) }));

  return function OnDemand(props: Props) {
    // Fixed at the first render: another component type would remount it and lose its state.
    const [Component] = useState<ComponentType<Props>>(() => (loaded ? pick(loaded) : Lazy));
    return (
      <PageBoundary>
        <Suspense fallback={<Loading label={texts.loading} />}>
          <Component {...props} />
        </Suspense>
      </PageBoundary>
    );
  };
}
