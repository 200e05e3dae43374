/** The search over everything: one field, the results of the service, and the keyboard alone to open one. */
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { RetryNotice } from '../../../components/notice.tsx';
import { Field } from '../../../forms/field.tsx';
import { SearchPlatformDocument, type SearchPlatformQuery } from '../../../generated/graphql.ts';
import { withRefreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { ConsoleIcon, type ConsoleIconName } from '../console-icon.tsx';
import { type Hit, looksLikeNetwork, useOpenHit } from './hits.ts';

type Found = SearchPlatformQuery['platformSearch'];

/** Maximum length that the server accepts. */
const maxLength = 254;
const debounceMilliseconds = 150;

const searchQuery = (session: Session, search: string) =>
  queryOptions({
    queryKey: ['console', 'search', search],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(SearchPlatformDocument, { search })).platformSearch,
      ),
    placeholderData: keepPreviousData,
    enabled: search !== '',
  });

interface SearchDialogProps {
  readonly onClose: () => void;
}

export const SearchDialog = ({ onClose }: SearchDialogProps) => {
  const t = useTranslations('console.search');
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-[#06110d]/50" />
        <Dialog.Popup
          initialFocus={field}
          className="fixed inset-x-4 top-4 z-20 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-2xl flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-2xl shadow-black/20 outline-none sm:top-[12dvh] sm:max-h-[75dvh]"
        >
          <div className="flex items-start justify-between gap-4">
            <Dialog.Title className="text-lg font-semibold tracking-[-0.015em]">{t('title')}</Dialog.Title>
            <Dialog.Close className="text-link text-sm">{t('close')}</Dialog.Close>
          </div>
          <SearchBox field={field} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

interface SearchBoxProps extends SearchDialogProps {
  readonly field: RefObject<HTMLInputElement | null>;
}

const SearchBox = ({ field, onClose }: SearchBoxProps) => {
  const t = useTranslations('console.search');
  const listId = useId();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const found = useQuery(searchQuery(useSession(), search));
  const lists = useNetworkHits(search);
  const hits = useMemo(
    () => (search === '' ? [] : [...lists, ...(found.data?.hits ?? [])]),
    [search, lists, found.data],
  );
  const open = useOpenHit(onClose);
  // Until then the hits are those of an earlier text.
  const isAnswered = text.trim() === search && !found.isPlaceholderData && !found.isLoading;
  const choice = useChoice(hits, isAnswered, open);
  return (
    <>
      <Field
        ref={field}
        role="combobox"
        type="search"
        label={t('label')}
        value={text}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={hits[choice.index] === undefined ? undefined : optionId(listId, choice.index)}
        onChange={(event) => {
          choice.forget();
          setText(event.target.value);
        }}
        onKeyDown={choice.onKeyDown}
      />
      <SearchState search={search} query={found} count={hits.length} />
      <Hits listId={listId} hits={hits} chosen={choice.index} onOpen={open} />
    </>
  );
};

const useNetworkHits = (search: string): readonly Hit[] => {
  const t = useTranslations('console.search');
  return useMemo(() => {
    if (!looksLikeNetwork(search)) return [];
    const names = { network: search };
    return [
      { kind: 'SESSIONS_FROM', id: search, title: t('sessionsFrom', names), detail: null },
      { kind: 'SIGN_INS_FROM', id: search, title: t('signInsFrom', names), detail: null },
    ];
  }, [search, t]);
};

const optionId = (listId: string, index: number): string => `${listId}-${index}`;

const useDebounced = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

const keyOf = ({ kind, id }: Hit): string => `${kind} ${id}`;

/**
 * The chosen hit, moved by the arrow keys. It stays chosen when more are found; else the first one is. Enter before the
 * answer opens what the answer finds: never a hit of an earlier text.
 */
const useChoice = (hits: readonly Hit[], isAnswered: boolean, onOpen: (hit: Hit) => void) => {
  const [chosen, setChosen] = useState<string>();
  const [opensAnswer, setOpensAnswer] = useState(false);
  const index = Math.max(
    0,
    hits.findIndex((hit) => keyOf(hit) === chosen),
  );
  const awaited = opensAnswer && isAnswered ? hits[index] : undefined;
  useEffect(() => {
    if (awaited !== undefined) onOpen(awaited);
  }, [awaited, onOpen]);
  const move = (by: number): void => {
    const next = hits[(index + by + hits.length) % hits.length];
    if (next !== undefined) setChosen(keyOf(next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const hit = hits[index];
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key !== 'Enter') return;
    else if (!isAnswered) setOpensAnswer(true);
    else if (hit !== undefined) onOpen(hit);
    event.preventDefault();
  };
  return { index, onKeyDown, forget: () => setOpensAnswer(false) };
};

interface SearchStateProps {
  readonly search: string;
  readonly query: ReturnType<typeof useQuery<Found>>;
  /** The number of everything that is listed. */
  readonly count: number;
}

/** The words beside the list: how to use it, that nothing was found, a failure. */
const SearchState = ({ search, query, count }: SearchStateProps) => {
  const t = useTranslations('console.search');
  const format = useFormatter();
  if (search === '') return <p className="text-sm text-soft">{t('hint')}</p>;
  if (query.isError) {
    return <RetryNotice error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  const missingScopes = query.data?.missingScopes ?? [];
  return (
    <div className="space-y-1 text-sm text-soft">
      <p role="status">{query.data !== undefined && (count === 0 ? t('none') : t('found', { count }))}</p>
      {missingScopes.length > 0 && <p>{t('missing', { scopes: format.list(missingScopes) })}</p>}
    </div>
  );
};

const icons: Readonly<Record<Hit['kind'], ConsoleIconName>> = {
  PERSON: 'person',
  ORGANIZATION: 'building',
  SESSION: 'devices',
  CLIENT: 'plug',
  MCP_CALL: 'plug',
  SESSIONS_FROM: 'devices',
  SIGN_INS_FROM: 'door',
};

interface HitsProps {
  readonly listId: string;
  readonly hits: readonly Hit[];
  readonly chosen: number;
  readonly onOpen: (hit: Hit) => void;
}

const Hits = ({ listId, hits, chosen, onOpen }: HitsProps) => {
  const t = useTranslations('console.search');
  return (
    <div id={listId} role="listbox" aria-label={t('title')} className="min-h-0 overflow-y-auto">
      {hits.map((hit, index) => (
        <HitOption
          key={keyOf(hit)}
          id={optionId(listId, index)}
          hit={hit}
          isChosen={index === chosen}
          onOpen={() => onOpen(hit)}
        />
      ))}
    </div>
  );
};

interface HitOptionProps {
  readonly id: string;
  readonly hit: Hit;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

/** The focus stays in the field, whose keys choose and open; the pointer opens by a press. */
const HitOption = ({ id, hit, isChosen, onOpen }: HitOptionProps) => {
  const t = useTranslations('console.search');
  const kind = hit.kind === 'SESSIONS_FROM' || hit.kind === 'SIGN_INS_FROM' ? t('address') : t(`kinds.${hit.kind}`);
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 aria-selected:bg-tint aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent aria-selected:outline-solid"
      onClick={onOpen}
      onKeyDown={(event) => event.key === 'Enter' && onOpen()}
    >
      <ConsoleIcon name={icons[hit.kind]} className="size-5 text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{hit.title}</span>
        {hit.detail !== null && <span className="block truncate text-sm text-soft">{hit.detail}</span>}
      </span>
      <span className="text-xs text-soft">{kind}</span>
    </div>
  );
};
