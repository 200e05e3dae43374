/**
 * Ends a loop of redirects: a back end that does not accept the session sends each visitor to the sign-in page, and the
 * portal, where they are signed in, sends them back.
 */

const key = 'gatehouse-followed';
const windowMilliseconds = 10_000;
const maxTimes = 5;

/**
 * Notes that the portal leads to this address by itself.
 * @param storage the tab's sessionStorage; when the browser denies it, no loop is found
 * @returns whether it did so five times within the last ten seconds, so that it must not again
 */
export const isRedirectLoop = (
  target: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => sessionStorage,
  now = Date.now(),
): boolean => {
  try {
    const [known, since, times] = (storage().getItem(key) ?? '').split(' ');
    const isKnown = known === encodeURIComponent(target) && now - Number(since) < windowMilliseconds;
    const count = isKnown ? Number(times) + 1 : 1;
    storage().setItem(key, `${encodeURIComponent(target)} ${isKnown ? since : now} ${count}`);
    return count > maxTimes;
  } catch {
    return false;
  }
};
