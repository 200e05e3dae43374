/** Filters of a list: search field, menu of values, and a chip that removes a filter set elsewhere. */
import { Menu } from '@base-ui/react/menu';
import { type Ref, useEffect, useRef, useState } from 'react';
import { Field } from '../forms/field.tsx';
import { Icon } from './icon.tsx';
import { MenuBox, MenuChoice } from './menu.tsx';
import { SignedInIcon } from './signed-in-icon.tsx';

const everything = '';

interface FilterMenuProps {
  readonly label: string;
  /** The word for no narrowing. */
  readonly any: string;
  readonly value: string | undefined;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly onChoose: (value: string | undefined) => void;
}

export const FilterMenu = ({ label, any, value, choices, onChoose }: FilterMenuProps) => {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu.Root>
      <Menu.Trigger className="flex min-h-11 items-center gap-1.5 rounded-control border border-edge/45 px-3 text-[0.9375rem] hover:border-edge data-popup-open:border-edge">
        <span className="text-soft">{label}</span>
        {chosen?.name ?? value ?? any}
        <SignedInIcon name="chevrons" className="size-4.5 text-soft" />
      </Menu.Trigger>
      <MenuBox>
        <Menu.RadioGroup
          value={value ?? everything}
          onValueChange={(next: string) => onChoose(next === everything ? undefined : next)}
        >
          <MenuChoice value={everything}>{any}</MenuChoice>
          {choices.map((choice) => (
            <MenuChoice key={choice.value} value={choice.value}>
              {choice.name}
            </MenuChoice>
          ))}
        </Menu.RadioGroup>
      </MenuBox>
    </Menu.Root>
  );
};

interface FilterChipProps {
  readonly words: string;
  /** What pressing it does, in words. */
  readonly label: string;
  readonly onRemove: () => void;
}

export const FilterChip = ({ words, label, onRemove }: FilterChipProps) => (
  <button
    type="button"
    aria-label={label}
    className="flex min-h-11 min-w-0 items-center gap-2 rounded-control bg-tint px-3 text-left text-[0.9375rem] font-medium text-accent hover:text-accent-strong"
    onClick={onRemove}
  >
    <span className="min-w-0 wrap-anywhere">{words}</span>
    <Icon name="cross" className="size-4.5" />
  </button>
);

const pauseMilliseconds = 300;

interface SearchFieldProps {
  readonly label: string;
  /** What the address says. */
  readonly search: string;
  readonly field: Ref<HTMLInputElement>;
  readonly onSearch: (search: string) => void;
}

export const SearchField = ({ label, search, field, onSearch }: SearchFieldProps) => {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // An address that did not come from here, such as the link in the navigation, replaces what was typed.
  useEffect(() => {
    if (search === sent.current) return;
    clearTimeout(pause.current);
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(pause.current), []);

  const send = (typed: string): void => {
    clearTimeout(pause.current);
    sent.current = typed.trim();
    onSearch(sent.current);
  };
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => send(typed), pauseMilliseconds);
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(text);
        }}
      >
        <Field
          ref={field}
          type="search"
          label={label}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </form>
    </search>
  );
};
