/**
 * The lock where there are no Web Locks (plain http on a host that is not localhost): the tabs elect its holder over
 * the channel. A tab asks with a ticket; the holder, and each tab that asked earlier, object. Without an objection the
 * tab holds the lock until it says that it is free.
 */
import { busy, type Channel, type Wait, type WithLock, withLockInThisTab } from './tabs.ts';

/** Every tab has had the time to object. */
const objectionMilliseconds = 100;
/** How often a tab asks again, a second apart, before it gives up; requests end within 15 seconds. */
const maxSilentRounds = 20;

export const electedTab = ({ post, listen }: Channel, wait: Wait): WithLock => {
  const queue = withLockInThisTab();
  let ticket = '';
  let isObjected = false;
  let onFree = (): void => undefined;
  listen((message) => {
    const [verb, theirs = ''] = message.split(' ', 2);
    if (verb === 'ask' && ticket && ticket < theirs) post(`no ${theirs}`);
    if (verb === 'no' && theirs === ticket) isObjected = true;
    if (verb === 'free') onFree();
  });
  const acquire = async (): Promise<void> => {
    ticket = `${Date.now()}-${Math.random()}`;
    for (let silentRounds = 0; silentRounds < maxSilentRounds; ) {
      isObjected = false;
      const freed = new Promise<void>((resolve) => {
        onFree = resolve;
      });
      post(`ask ${ticket}`);
      await wait(objectionMilliseconds);
      if (!isObjected) {
        // Earlier than any other, even when the clock is set back.
        ticket = '0';
        return;
      }
      // Asks again after a second in any case: the holder may have been closed.
      silentRounds += (await Promise.race([freed, wait(1000).then(() => 1)])) ?? 0;
    }
    ticket = '';
    throw busy();
  };
  return (task) =>
    queue(async () => {
      await acquire();
      try {
        return await task();
      } finally {
        ticket = '';
        post('free');
      }
    });
};
