import { useHydrated } from '../../state/store-provider.tsx';
import { Spinner } from '../loading/spinner.tsx';
import buttons from '../styles/button.module.css';

interface SubmitButtonProps {
  label: string;
  isBusy: boolean;
  className?: string | undefined;
}

/**
 * Disabled until hydration, because the forms do not work without JavaScript. While the request runs the button is
 * only `aria-disabled`, to keep the focus; `useForm` ignores further clicks.
 */
export function SubmitButton({ label, isBusy, className = '' }: SubmitButtonProps) {
  const isReady = useHydrated();
  return (
    <button
      type="submit"
      className={`${buttons.primary} ${className}`}
      disabled={!isReady}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
    >
      {isBusy && <Spinner />}
      <span>{label}</span>
    </button>
  );
}
