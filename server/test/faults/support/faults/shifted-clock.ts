/** A process with a wrong clock: its Date is ahead or behind by this many minutes, and nothing else is changed. */

/** The variable that shifts the clock of Node from its start on. @param minutes ahead; negative: behind */
export const clockAhead = (minutes: number): { readonly NODE_OPTIONS: string } => {
  const source = `
    const offset = ${minutes * 60_000};
    const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...parts) { if (parts.length === 0) super(Real.now() + offset); else super(...parts); }
      static now() { return Real.now() + offset; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
};
