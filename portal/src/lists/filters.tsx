/** Filters of a list: their bar, search field, menu of values, and chips that remove filters set elsewhere. */
import { Menu } from '@base-ui/react/menu';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { MenuPopup, MenuRadioItem } from '../components/overlays/menu.tsx';
import { SignedInIcon } from '../components/signed-in-icon.tsx';
import { Field, type FieldProps } from '../forms/field.tsx';
import { focusFilters } from './focus-filters.ts';

interface FilterBarProps {
  /** Fields above the menus and chips. */
  readonly fields?: ReactNode;
  /** Menus and chips. */
  readonly children?: ReactNode;
  /** Further fields below them. */
  readonly more?: ReactNode;
}

export const FilterBar = ({ fields, children, more }: FilterBarProps) => (
  <div data-filters="" className="space-y-4 border-b border-line px-5 py-4 sm:px-6">
    {fields}
    {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    {more}
  </div>
);

const noFilter = '';

interface FilterMenuProps {
  readonly label: string;
  /** Label of the choice without a filter. */
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
      <MenuPopup>
        <Menu.RadioGroup
          value={value ?? noFilter}
          onValueChange={(next: string) => onChoose(next === noFilter ? undefined : next)}
        >
          <MenuRadioItem value={noFilter}>{any}</MenuRadioItem>
          {choices.map((choice) => (
            <MenuRadioItem key={choice.value} value={choice.value}>
              {choice.name}
            </MenuRadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  );
};

interface FilterChipsProps<Name extends string> {
  /** The text of each filter by its name; undefined for one that is not set. */
  readonly texts: readonly (readonly [Name, string | undefined])[];
  /** Accessible name of a chip: what pressing it does. */
  readonly label: (filter: string) => string;
  readonly onRemove: (name: Name) => void;
}

/** Chips of the filters that links and rows set, which remove them. */
export const FilterChips = <Name extends string>({ texts, label, onRemove }: FilterChipsProps<Name>) =>
  texts.map(
    ([name, text]) =>
      text !== undefined && (
        <button
          key={name}
          type="button"
          aria-label={label(text)}
          className="flex min-h-11 min-w-0 items-center gap-2 rounded-control bg-tint px-3 py-1.5 text-start text-[0.9375rem] font-medium text-accent hover:text-accent-strong"
          onClick={(event) => {
            const bar = event.currentTarget.closest('[data-filters]');
            onRemove(name);
            // The focused chip is unmounted.
            focusFilters(bar);
          }}
        >
          <span className="min-w-0 wrap-anywhere">{text}</span>
          <Icon name="cross" className="size-4.5" />
        </button>
      ),
  );

interface SearchFormProps extends Pick<FieldProps, 'label' | 'problem' | 'describedBy' | 'ref'> {
  readonly text: string;
  readonly onType: (text: string) => void;
  /** Enter. */
  readonly onSend: () => void;
}

/** A search field, and the form that Enter sends. */
export const SearchForm = ({ text, onType, onSend, ...field }: SearchFormProps) => (
  <search>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <Field
        {...field}
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
    </form>
  </search>
);

const debounceMilliseconds = 300;

interface SearchFieldProps {
  readonly label: string;
  /** The search in the URL. */
  readonly search: string;
  readonly field?: Ref<HTMLInputElement> | undefined;
  /** Id of an element that describes the field. */
  readonly describedBy?: string | undefined;
  readonly onSearch: (search: string) => void;
}

export const SearchField = ({ label, search, field, describedBy, onSearch }: SearchFieldProps) => {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const debounce = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A URL set elsewhere, such as by a navigation link, replaces the typed text.
  useEffect(() => {
    if (search === sent.current) return;
    clearTimeout(debounce.current);
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(debounce.current), []);

  const send = (typed: string): void => {
    clearTimeout(debounce.current);
    sent.current = typed.trim();
    onSearch(sent.current);
  };
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(debounce.current);
    debounce.current = setTimeout(() => send(typed), debounceMilliseconds);
  };
  return (
    <SearchForm
      ref={field ?? null}
      label={label}
      describedBy={describedBy}
      text={text}
      onType={type}
      onSend={() => send(text)}
    />
  );
};
