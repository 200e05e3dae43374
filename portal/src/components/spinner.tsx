/** The turning ring of whatever is busy; its owner says so to assistive technology. */

export const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-4.5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
  />
);
