import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Loading } from '../components/spinner.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { texts } from '../texts.ts';

type AccountBundle = typeof import('./account-bundle.ts');

let loaded: AccountBundle | undefined;

/** Loads the account's parts. Awaited before rendering, they render at once. */
export async function loadAccountBundle(): Promise<AccountBundle> {
  loaded ??= await import('./account-bundle.ts');
  return loaded;
}

/** For whoever may want them soon. */
export function preloadAccountBundle(): void {
  loadAccountBundle().catch(() => {});
}

export const CommentForm = onDemand((parts) => parts.CommentForm);
export const Create = onDemand((parts) => parts.Create);
export const LeftComments = onDemand((parts) => parts.LeftComments);
export const Login = onDemand((parts) => parts.Login);
export const NewPassword = onDemand((parts) => parts.NewPassword);
export const ProfilePage = onDemand((parts) => parts.ProfilePage);
export const Register = onDemand((parts) => parts.Register);

/** A part that cannot be loaded says so and offers to load the page again: the site may have been renewed. */
function onDemand<Props extends object>(pick: (parts: AccountBundle) => ComponentType<Props>) {
  const Later = lazy(async () => ({ default: pick(await loadAccountBundle()) }));

  return function OnDemand(props: Props) {
    // Chosen once, or the part would start anew when something renders it again.
    const [Part] = useState<ComponentType<Props>>(() => (loaded ? pick(loaded) : Later));
    return (
      <PageBoundary>
        <Suspense fallback={<Loading label={texts.loading} />}>
          <Part {...props} />
        </Suspense>
      </PageBoundary>
    );
  };
}
