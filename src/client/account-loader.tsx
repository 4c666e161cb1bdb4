import { type ComponentType, lazy, Suspense, useState } from 'react';
import { LoadFailure } from './components/notice.tsx';
import { Loading } from './components/spinner.tsx';
import { texts } from './texts.ts';

type AccountParts = typeof import('./account-parts.ts');

let loaded: AccountParts | undefined;

/** Loads the account's parts. Awaited before rendering, they render at once. */
export async function loadAccountParts(): Promise<AccountParts> {
  loaded ??= await import('./account-parts.ts');
  return loaded;
}

/** For whoever may want them soon. */
export function warmAccountParts(): void {
  loadAccountParts().catch(() => {});
}

export const CommentForm = onDemand((parts) => parts.CommentForm);
export const Create = onDemand((parts) => parts.Create);
export const LeftComments = onDemand((parts) => parts.LeftComments);
export const Login = onDemand((parts) => parts.Login);
export const NewPassword = onDemand((parts) => parts.NewPassword);
export const ProfilePage = onDemand((parts) => parts.ProfilePage);
export const Register = onDemand((parts) => parts.Register);

function onDemand<Props extends object>(pick: (parts: AccountParts) => ComponentType<Props>) {
  const Later = lazy(async () => {
    const parts = await loadOrReload();
    return { default: parts ? pick(parts) : NotLoaded };
  });

  return function OnDemand(props: Props) {
    // Chosen once, or the part would start anew when something renders it again.
    const [Part] = useState<ComponentType<Props>>(() => (loaded ? pick(loaded) : Later));
    return (
      <Suspense fallback={<Loading label={texts.loading} />}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function NotLoaded() {
  return <LoadFailure message={texts.offline} onRetry={() => location.reload()} />;
}

/** Null when they cannot be had. */
async function loadOrReload(): Promise<AccountParts | null> {
  try {
    return await loadAccountParts();
  } catch (error) {
    console.error(error);
    if (!navigator.onLine || isReloaded()) return null;
    // The site may have been renewed: this page's address, asked for again, brings the new scripts.
    location.reload();
    return new Promise<never>(() => {});
  }
}

/** Then another reload would hardly bring more, and one after the other would never end. */
function isReloaded(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'reload';
}
