/** The result of an action, in a place that receives the focus when the pressed button is gone. */
import type { ReactNode, RefObject } from 'react';
import { Notice } from './notice.tsx';

interface ResultNoticeProps {
  readonly place: RefObject<HTMLDivElement | null>;
  /** Absent while nothing has been done. */
  readonly children?: ReactNode;
}

export const ResultNotice = ({ place, children }: ResultNoticeProps) => (
  <div ref={place} role="status" tabIndex={-1} className="outline-none">
    {children !== undefined && (
      <div className="p-3">
        <Notice tone="success">
          <p>{children}</p>
        </Notice>
      </div>
    )}
  </div>
);
