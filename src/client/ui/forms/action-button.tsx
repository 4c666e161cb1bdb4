import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Spinner } from '../loading/spinner.tsx';
import buttons from '../styles/button.module.css';

interface ActionButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  run: (button: HTMLElement) => Promise<unknown>;
}

/**
 * A button for an action without a form. While the action runs, further clicks do nothing; the button is only
 * `aria-disabled`, to keep the focus.
 */
export function ActionButton({ run, children, ...button }: ActionButtonProps) {
  const { isPending, mutate } = useMutation({ mutationFn: run });
  return (
    <button
      type="button"
      className={buttons.quiet}
      {...button}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={({ currentTarget }) => isPending || mutate(currentTarget)}
    >
      {isPending && <Spinner />}
      <span>{children}</span>
    </button>
  );
}
