/** Owns the wait for a promise with a timeout. Deadlines that several waits share are in `platform/database`. */

/**
 * Settles like `work`, or when `millis` have passed as `late` returns or throws; then the result of `work` is dropped.
 * After a pause of this process the timer fires before the answers that arrived meanwhile: `setImmediate` lets them
 * win.
 * @param late called once, and only when `work` was not in time
 */
export const within = <T, Late>(millis: number, work: Promise<T>, late: () => Late): Promise<T | Late> =>
  new Promise((resolve, reject) => {
    let isSettled = false;
    const timer = setTimeout(() => {
      setImmediate(() => {
        // A promise of its own turns an error that `late` throws into a rejection.
        if (!isSettled) resolve(new Promise<Late>((done) => done(late())));
      });
    }, millis);
    work.then(resolve, reject).finally(() => {
      isSettled = true;
      clearTimeout(timer);
    });
  });
