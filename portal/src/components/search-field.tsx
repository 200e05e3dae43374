/** A search that stands in the address, so that a reload and a link show the same. It is sent when the typing pauses. */
import { type Ref, useEffect, useRef, useState } from 'react';
import { Field } from '../forms/field.tsx';

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
