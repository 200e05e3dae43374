/** Tasks of one tab that run one after the other. */

/** Runs each task after those before it, whatever became of them. */
export const inTurn = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
};
