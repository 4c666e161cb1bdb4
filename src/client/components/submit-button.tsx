import { useStore } from '../state/store.tsx';
import buttons from './button.module.css';
import { Spinner } from './spinner.tsx';

interface SubmitButtonProps {
  label: string;
  isBusy: boolean;
  className?: string | undefined;
}

/**
 * Off until the page can answer it: a form sent by the browser itself would go nowhere. While the
 * request runs it keeps the focus, and whoever submits sees to it that nothing is sent twice.
 */
export function SubmitButton({ label, isBusy, className = '' }: SubmitButtonProps) {
  const { isReady } = useStore();
  return (
    <button
      type="submit"
      className={`${buttons.primary} ${className}`}
      disabled={!isReady}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
    >
      {isBusy && <Spinner />}
      {label}
    </button>
  );
}
