/** Dropdown menus: popup, radio item, separator, and the class of an item. */
import { Menu } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { Icon } from '../icon.tsx';

interface MenuPopupProps {
  readonly align?: 'start' | 'end';
  /** The place where a menu without a trigger opens, and where the focus goes afterwards. */
  readonly anchor?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

export const MenuPopup = ({ align = 'start', anchor, children }: MenuPopupProps) => {
  // Rendered next to its trigger, inside the same landmark, instead of at the end of the body.
  const container = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={container} className="contents" />
      <Menu.Portal container={container}>
        <Menu.Positioner
          align={align}
          anchor={anchor}
          sideOffset={6}
          collisionPadding={12}
          // Above bars that stay in sight.
          className="z-20 outline-none"
        >
          <Menu.Popup
            finalFocus={anchor}
            className="max-h-[min(26rem,var(--available-height))] max-w-[min(22rem,var(--available-width))] min-w-[max(13rem,var(--anchor-width))] overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-xl shadow-black/15 outline-none transition-[opacity,transform] duration-150 ease-settle data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0"
          >
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </>
  );
};

/** The highlighted item gets an outline as well, because the tint alone has too little contrast. */
export const menuItemClass =
  'flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 py-2 text-[0.9375rem] leading-snug outline-none select-none data-highlighted:bg-tint data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-solid data-highlighted:outline-accent';

interface MenuRadioItemProps {
  readonly value: string;
  /** Explains the choice, below its name. */
  readonly description?: string | undefined;
  readonly children: ReactNode;
}

/** One choice of a radio group; the selected one has a check mark. */
export const MenuRadioItem = ({ value, description, children }: MenuRadioItemProps) => {
  const id = useId();
  const [nameId, descriptionId] = [`${id}-name`, `${id}-description`];
  const described = description === undefined ? {} : { 'aria-labelledby': nameId, 'aria-describedby': descriptionId };
  return (
    <Menu.RadioItem value={value} closeOnClick className={menuItemClass} {...described}>
      <span className="min-w-0 flex-1">
        <span id={nameId} className="block">
          {children}
        </span>
        {description !== undefined && (
          <span id={descriptionId} className="block text-sm text-soft">
            {description}
          </span>
        )}
      </span>
      <Menu.RadioItemIndicator className="text-accent">
        <Icon name="check" />
      </Menu.RadioItemIndicator>
    </Menu.RadioItem>
  );
};

export const MenuSeparator = () => <Menu.Separator className="mx-3 my-1.5 h-px bg-line" />;
