import { type ComponentType, lazy, Suspense, useState } from 'react';
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
export const Login = onDemand((parts) => parts.Login);
export const NewPassword = onDemand((parts) => parts.NewPassword);
export const ProfilePage = onDemand((parts) => parts.ProfilePage);
export const Register = onDemand((parts) => parts.Register);

function onDemand<Props extends object>(pick: (parts: AccountParts) => ComponentType<Props>) {
  const Later = lazy(async () => ({ default: pick(await loadOrReload()) }));

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

async function loadOrReload(): Promise<AccountParts> {
  try {
    return await loadAccountParts();
  } catch (error) {
    console.error(error);
    // The site may have been renewed: this page's address, asked for again, brings the new scripts.
    location.reload();
    return new Promise<never>(() => {});
  }
}
