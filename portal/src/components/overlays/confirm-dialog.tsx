/** Confirmation of a destructive action. Its window is loaded after the page, which does not show it at first. */
import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import type { ConfirmDialogProps } from './confirm-window.tsx';

/** The last value, so that the text stays while the dialog fades out. */
export const useLastValue = <Value,>(value: Value | undefined): Value | undefined => {
  const [shown, setShown] = useState(value);
  if (value !== undefined && value !== shown) setShown(value);
  return shown;
};

const ConfirmWindow = lazyComponent(async () => (await import('./confirm-window.tsx')).ConfirmWindow);

export const ConfirmDialog = (props: ConfirmDialogProps) => {
  // Loaded before it is needed: the connection may be gone then.
  useEffect(() => void ConfirmWindow.preload(), []);
  const wasOpened = useLastValue(props.open || undefined) === true;
  if (!wasOpened) return null;
  return (
    <Suspense>
      <ConfirmWindow {...props} />
    </Suspense>
  );
};
