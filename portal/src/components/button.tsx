/** Buttons, links that look like buttons, and the spinner. A busy button keeps its width, its name and the focus. */
import type { ComponentProps } from 'react';

type Variant = 'primary' | 'secondary' | 'danger' | 'danger-secondary';

const shape =
  'relative inline-flex max-w-full min-h-11 items-center justify-center gap-2 rounded-control px-4 text-[0.9375rem] text-center break-words font-semibold transition-colors duration-150 select-none disabled:cursor-not-allowed disabled:opacity-50';

const variants: Readonly<Record<Variant, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong',
  secondary: 'border border-edge/45 bg-surface text-ink hover:border-edge active:bg-tint',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong active:bg-danger-strong',
  'danger-secondary': 'border border-edge/45 bg-surface text-danger hover:border-danger active:bg-danger-tint',
};

export const buttonClass = (variant: Variant, extra = ''): string => `${shape} ${variants[variant]} ${extra}`;

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: Variant;
  readonly busy?: boolean;
}

export const Button = ({ variant = 'primary', busy = false, className, children, onClick, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    // Not `disabled` while busy: a disabled button loses the focus.
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    className={buttonClass(variant, `${busy ? 'cursor-progress' : ''} ${className ?? ''}`)}
  >
    <span className={`min-w-0 ${busy ? 'opacity-0' : ''}`}>{children}</span>
    {busy && (
      <span className="absolute inset-0 grid place-items-center">
        <Spinner />
      </span>
    )}
  </button>
);

export const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-4.5 shrink-0 animate-spin rounded-full border-2 border-current border-e-transparent"
  />
);
