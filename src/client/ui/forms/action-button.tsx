import type { ComponentProps } from 'react';
import { Spinner } from '../loading/spinner.tsx';
import buttons from '../styles/button.module.css';
import { useAction } from './use-action.ts';

interface ActionButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  run: (button: HTMLElement) => Promise<unknown>;
}

/**
 * A button for an action without a form. While the action runs, further clicks do nothing; the button is only
 * `aria-disabled`, to keep the focus.
 */
export function ActionButton({ run: action, children, ...button }: ActionButtonProps) {
  const { run, isPending } = useAction(action);
  return (
    <button
      type="button"
      className={buttons.quiet}
      {...button}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={({ currentTarget }) => isPending || run(currentTarget).catch(() => {})}
    >
      {isPending && <Spinner />}
      <span>{children}</span>
    </button>
  );
}
