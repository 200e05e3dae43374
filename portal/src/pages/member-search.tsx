/** The search in the member list. It stands in the address, so that a reload and a link show the same people. */
import { getRouteApi } from '@tanstack/react-router';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '../components/field.tsx';

const route = getRouteApi('/signed-in/members');

/** A search begins when the typing pauses. */
const pauseMilliseconds = 300;

interface MemberSearchProps {
  /** What the address says. */
  readonly search: string;
  readonly field: Ref<HTMLInputElement>;
}

export const MemberSearch = ({ search, field }: MemberSearchProps) => {
  const t = useTranslations('members');
  const navigate = route.useNavigate();
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // An address that did not come from here, such as the link in the navigation, replaces what was typed.
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(pause.current), []);

  const send = (typed: string): void => {
    clearTimeout(pause.current);
    sent.current = typed.trim();
    void navigate({ search: sent.current === '' ? {} : { search: sent.current }, replace: true, resetScroll: false });
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
          label={t('search')}
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
