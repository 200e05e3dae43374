/** Whether the controls of a page stay inside their cards. */
import type { Page } from 'playwright-core';
import { twoFrames, untilStill } from './accessibility.ts';

const phoneToDesk = [320, 360, 414, 768, 1280];

/** Each control that crosses an edge of its card, or of the window, at any width of the window. */
export const controlsOutsideCards = async (page: Page): Promise<readonly string[]> => {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of phoneToDesk) {
    await page.setViewportSize({ width, height: 800 });
    // What follows a size by a script is at its place by then.
    await twoFrames(page);
    await untilStill(page);
    const outside = await page.evaluate(findOutside);
    found.push(...outside.map((control) => `${width}: ${control}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
};

const findOutside = (): string[] => {
  const isOver = (inner: DOMRect, outer: { readonly left: number; readonly right: number }): boolean =>
    inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5;
  const controls = [...document.querySelectorAll('button, a, input, summary')].filter(
    (control) => control.checkVisibility() && control.getBoundingClientRect().width > 2,
  );
  return controls.flatMap((control) => {
    const box = control.getBoundingClientRect();
    const card = control.closest('.rounded-card')?.getBoundingClientRect();
    const isOutside = isOver(box, { left: 0, right: window.innerWidth }) || (card !== undefined && isOver(box, card));
    return isOutside ? [`${control.tagName} ${control.textContent?.trim()}`] : [];
  });
};
