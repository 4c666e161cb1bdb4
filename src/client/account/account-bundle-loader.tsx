import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Loading } from '../components/spinner.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { texts } from '../texts.ts';

type AccountBundle = typeof import('./account-bundle.ts');

let loaded: AccountBundle | undefined;

/** Loads the account bundle. Components rendered after it has loaded render synchronously. */
export async function loadAccountBundle(): Promise<AccountBundle> {
  loaded ??= await import('./account-bundle.ts');
  return loaded;
}

/** Loads the account bundle ahead of its use; a failure shows when the bundle is used. */
export function preloadAccountBundle(): void {
  loadAccountBundle().catch(() => {});
}

export const CommentForm = onDemand((bundle) => bundle.CommentForm);
export const Create = onDemand((bundle) => bundle.Create);
export const UnsentComments = onDemand((bundle) => bundle.UnsentComments);
export const Login = onDemand((bundle) => bundle.Login);
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
