/** A process with a wrong clock: its Date is ahead or behind by some minutes, or jumps, and nothing else is changed. */

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

/** The clock of a process whose Date jumps by up to an hour to each side, several times a second. */
export const jumpingClock = (): { readonly NODE_OPTIONS: string } => {
  const source = `
    const Real = Date;
    let offset = 0;
    const jump = () => { offset = Math.round((Math.random() - 0.5) * 7_200_000); };
    setInterval(jump, 200).unref();
    globalThis.Date = class Date extends Real {
      constructor(...parts) { if (parts.length === 0) super(Real.now() + offset); else super(...parts); }
      static now() { return Real.now() + offset; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
};
