/** The messages of the entry, which no page can do without. */
import { isReachable, reloadOnce } from '../components/lazy-component.tsx';
import { catalogue } from './catalogue.ts';
import { entryPart } from './entry-part.ts';

const retryMilliseconds = 2000;

/**
 * Resolves when they are loaded. Until then the static shell stays: without them the portal cannot even say what is
 * wrong, so it tries again, and reloads the page once when a new release has replaced the file.
 */
export const entryMessages = async (): Promise<void> => {
  try {
    await catalogue().add(entryPart);
  } catch {
    if ((await isReachable()) && reloadOnce()) return new Promise(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    return entryMessages();
  }
};
