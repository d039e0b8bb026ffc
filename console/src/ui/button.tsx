import type { ButtonHTMLAttributes } from 'react';
import { classes } from './classes.ts';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'danger' | 'plain' | undefined;
  readonly small?: boolean;
  /** It has been pressed and is not done: it cannot be pressed again. */
  readonly busy?: boolean;
}

export function Button({ look, small = false, busy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classes('button', look, small && 'small', className)}
    />
  );
}
