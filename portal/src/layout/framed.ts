/** Whether a page stands in a frame with a header already, so that a failure of it needs none of its own. */
import { createContext, use } from 'react';

const Framed = createContext(false);

export const FrameProvider = Framed.Provider;

export const useIsFramed = (): boolean => use(Framed);
